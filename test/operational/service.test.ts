/** The whole service reports an account of its own accord: a node goes away, and the chain stands still. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyOperationalEvent } from "../../client/receiver/index.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ chain: { patienceMs: 1_000 } });
});
afterAll(() => world.stop());

test("a chain whose node is gone is reported to the account that has a webhook on it", async () => {
  const { client, receiver, node, wallet } = world;
  await client.putOperationalWebhook({ body: { url: `${receiver.url}/operations` } });
  const created = await client.createWebhook({
    body: {
      ...{ url: `${receiver.url}/activity`, chainId: testChainId, eventType: "address_activity" },
      metadata: { addresses: [wallet.address] },
    },
  });
  expect((await client.listWebhooks()).webhooks.map(({ id }) => id)).toEqual([created.id]);
  await node.stop();
  const [sent] = await receiver.waitFor(1, ({ path }) => path === "/operations");
  const { secret } = await client.getOperationalSecret();
  expect(await verifyOperationalEvent(sent?.rawBody ?? "", sent?.headers ?? {}, secret)).toMatchObject({
    type: "chain.stopped",
    subject: `chain:${testChainId}`,
    data: { chainId: testChainId, reason: expect.stringContaining("None of the chain's nodes") },
  });
});
