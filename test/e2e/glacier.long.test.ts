/** Glacier's form on a real chain: next to other webhooks in one block, shown by the API, sent again, replayed and retracted. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openChain } from "../chain/local-chain.ts";
import { assertSchema } from "../support/closed-schema.ts";
import type { Delivered } from "../support/receiver.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

const address = `0x${"f1".repeat(20)}`;
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

async function watch(more: object, metadata: object = {}) {
  const path = `/${crypto.randomUUID()}`;
  const { id } = await world.client.createWebhook({
    body: {
      ...{ url: world.receiver.url + path, chainId: testChainId, eventType: "address_activity" },
      metadata: { addresses: [address], ...metadata },
      ...more,
    },
  });
  const isOurs = (delivered: Delivered) => delivered.path === path;
  return { id, arrived: (count: number) => world.receiver.waitFor(count, isOurs) };
}

test("of three webhooks in one block, one has it, through its resend, its replay and the reorganisation", async () => {
  const { client, node } = world;
  const chain = await openChain(node.rpcUrl);
  const [glacier, usual, bare] = [
    await watch({ compatibility: "glacier", includeLogs: true, includeInternalTxs: true }),
    await watch({ includeLogs: true, includeInternalTxs: true }, { includeTransfers: true }),
    await watch({}),
  ];
  await chain.transfers(address, 1);
  const [first] = (await glacier.arrived(1)) as [Delivered];
  const body = JSON.parse(first.rawBody);
  assertSchema("GlacierNotification", body);
  const { secret } = await client.getSharedSecret();
  const isSigned = ({ rawBody, headers }: Delivered) =>
    headers["x-signature"] === createHmac("sha256", Buffer.from(secret, "hex")).update(rawBody).digest("base64");
  expect(isSigned(first)).toBe(true);
  const [other, least] = [(await usual.arrived(1))[0], (await bare.arrived(1))[0]] as [Delivered, Delivered];
  for (const { rawBody, headers } of [other, least]) {
    expect(headers).not.toHaveProperty("x-signature");
    assertSchema("AddressActivityNotification", JSON.parse(rawBody));
  }
  expect(body.event).toEqual(JSON.parse(other.rawBody).event);
  expect(JSON.parse(least.rawBody).event.transaction).not.toHaveProperty("nativeTransfers");

  const path = { id: glacier.id, messageId: body.messageId };
  await expect.poll(async () => (await client.getNotification({ path })).status).toBe("delivered");
  const detail = await client.getNotification({ path });
  expect(JSON.stringify(detail.glacierPayload)).toBe(first.rawBody);
  expect(detail.payload.event).toEqual(JSON.parse(other.rawBody).event);
  const ofOther = { id: usual.id, messageId: JSON.parse(other.rawBody).messageId };
  expect(await client.getNotification({ path: ofOther })).not.toHaveProperty("glacierPayload");

  const previewed = await client.previewWebhook({
    body: {
      ...{ chainId: testChainId, metadata: { addresses: [address] }, includeLogs: true, includeInternalTxs: true },
      ...{ compatibility: "glacier", txHash: body.event.transaction.txHash },
    },
  });
  expect(previewed.transactions[0]?.glacierPayload?.event).toEqual(body.event);

  await client.resendNotification({ path });
  const [, resent] = (await glacier.arrived(2)) as [Delivered, Delivered];
  const { blockNumber } = body.event.transaction;
  await client.createReplay({ path: { id: glacier.id }, body: { fromBlock: blockNumber, toBlock: blockNumber } });
  const [, , replayed] = (await glacier.arrived(3)) as [Delivered, Delivered, Delivered];
  expect([resent.rawBody, replayed.rawBody]).toEqual([first.rawBody, first.rawBody]);

  await chain.reorg(1, []);
  const [, , , retraction] = (await glacier.arrived(4)) as Delivered[];
  const retracted = JSON.parse(retraction?.rawBody ?? "");
  assertSchema("GlacierNotification", retracted);
  expect(retracted.event).toMatchObject({ removed: true, transaction: body.event.transaction });
  expect(retraction && isSigned(retraction)).toBe(true);
});
