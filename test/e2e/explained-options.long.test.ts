/** Previews and explanations of webhooks with options, on a real chain, through the real API: as what they are then sent. */
import { createTestClient, http, pad } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebhooksError } from "../../client/index.ts";
import type { components } from "../../generated/types.ts";
import { transferSignature } from "../../scripts/local/wallet.ts";
import { readLimits } from "../../server/settings/limits.ts";
import { startWorld, testChainId, unlimited, type World } from "../support/service.ts";

type Options = Pick<components["schemas"]["WebhookCreate"], "metadata" | "finality">;

let next = 0x9000n;
const freshAddress = () => pad(`0x${(next++).toString(16)}`, { size: 20 });

let world: World;
beforeAll(async () => {
  world = await startWorld({ config: { limits: readLimits({ ...unlimited, ANY_ADDRESS_QUOTA: "1" }) } });
});
afterAll(() => world.stop());

const chainId = testChainId;
const anvil = () => createTestClient({ mode: "anvil", transport: http(world.node.rpcUrl) });

async function watch(options: Options) {
  const url = `${world.receiver.url}/${crypto.randomUUID()}`;
  const { id } = await world.client.createWebhook({
    body: { url, chainId, eventType: "address_activity", ...options },
  });
  return id;
}
const explain = (id: string, { transactionHash: txHash }: { transactionHash: string }) =>
  world.client.explainWebhook({ path: { id }, query: { txHash } });
const preview = (options: Options, { transactionHash: txHash }: { transactionHash: string }) =>
  world.client.previewWebhook({ body: { chainId, ...options, txHash } });
const notified = async (id: string, count: number) =>
  (await world.receiver.waitFor(count, ({ notification }) => notification.webhookId === id)).map(
    ({ notification }) => notification.event,
  );
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "it succeeded",
    (error: unknown) => (error instanceof WebhooksError ? [error.status, error.body?.message] : error),
  );
const deployToken = (name: string) =>
  world.wallet.deploy("ERC20PresetFixedSupply", [name, "CN", 10n ** 30n, world.wallet.address]);

test("conditions: what decided is the same in the preview and in the explanation, and nothing is sent", async () => {
  const holder = freshAddress();
  const token = await deployToken("Coin");
  const conditions = {
    all: [
      { field: "transfer.direction", op: "eq" as const, value: "in" },
      { field: "transfer.value", op: "gte" as const, value: "1000" },
    ],
  };
  const options = { metadata: { addresses: [holder], conditions } };
  const id = await watch(options);
  const small = await world.wallet.call(token, "transfer", [holder, 7n]);
  const large = await world.wallet.call(token, "transfer", [holder, 5_000n]);
  await notified(id, 1);

  const failed = await explain(id, small);
  expect(failed).toMatchObject({ notified: false, reason: "condition_failed", matches: false, notifications: [] });
  expect(failed.decidedBy).toEqual([
    { path: "all.1", field: "transfer.value", op: "gte", value: "1000", actual: "7", holds: false },
  ]);
  const contract = token.address.toLowerCase();
  expect(failed.decidedOn).toMatchObject({ logIndex: 0, standard: "erc20", contract, to: holder, value: "7" });
  const [previewed] = (await preview(options, small)).transactions;
  const { reason, message, decidedBy, decidedOn, parts } = failed;
  expect(previewed).toMatchObject({ reason, message, decidedBy, decidedOn, parts });
  expect(previewed).not.toHaveProperty("payload");

  const held = await explain(id, large);
  expect(held).toMatchObject({ notified: true, reason: "notified", matches: true });
  expect(held.decidedBy?.map(({ path, holds }) => [path, holds])).toEqual([
    ["all.0", true],
    ["all.1", true],
  ]);
});

test("a payload has transfers with what tokens say of themselves, decoded logs and finality, exactly as sent", async () => {
  const holder = freshAddress();
  const token = await deployToken("Never asked before");
  const input = (name: string, type: string, indexed: boolean) => ({ name, type, indexed });
  const inputs = [input("from", "address", true), input("to", "address", true), input("value", "uint256", false)];
  const abi = [{ type: "event" as const, name: "Transfer", inputs }];
  const options = {
    metadata: { addresses: [holder], includeTransfers: true, includeLogs: true, abi },
    finality: { confirmations: 2 },
  };
  const before = await world.wallet.call(token, "transfer", [holder, 1n]);
  const [asked] = (await preview(options, before)).transactions;
  expect(asked?.payload?.event.transaction.erc20Transfers?.[0]?.erc20Token).toMatchObject({
    ...{ name: "Never asked before", symbol: "CN", decimals: 18, valueWithDecimals: "0.000000000000000001" },
  });

  await world.followed(before.blockNumber);
  const id = await watch(options);
  const sent = await world.wallet.call(token, "transfer", [holder, 2n]);
  await anvil().mine({ blocks: 2 });
  const [event] = await notified(id, 1);
  const [previewed] = (await preview(options, sent)).transactions;
  expect(event?.logs?.[0]?.decoded).toMatchObject({ name: "Transfer", args: { value: "2" } });
  expect(JSON.stringify(previewed?.payload?.event)).toBe(JSON.stringify(event));
});

test("what waits for finality says for how many blocks, and both says when the second one follows", async () => {
  const [late, twice] = [freshAddress(), freshAddress()];
  // The test's chain is final with 64 blocks on top.
  await anvil().mine({ blocks: 70 });
  const deep = await watch({ metadata: { addresses: [late] }, finality: { confirmations: 5 } });
  const both = await watch({ metadata: { addresses: [twice] }, finality: "both" });
  const toLate = await world.wallet.send(late, 1n);
  const toTwice = await world.wallet.send(twice, 1n);
  await world.followed(toTwice.blockNumber);
  const waiting = await explain(deep, toLate);
  expect(waiting).toMatchObject({ notified: false, reason: "waiting_for_finality", matches: true, missingBlocks: 4 });
  expect(waiting.message).toContain("The notification follows in 4 more blocks.");
  await notified(both, 1);
  expect(await explain(both, toTwice)).toMatchObject({ reason: "notified", missingBlocks: 64 });
  const body = { chainId, metadata: { addresses: [twice] }, finality: "finalized" as const };
  const { transactions } = await world.client.previewWebhook({ body: { ...body, txHash: toTwice.transactionHash } });
  expect(transactions[0]?.payload?.event).toMatchObject({ finalized: true, confirmations: 0 });

  await anvil().mine({ blocks: 4 });
  await notified(deep, 1);
  const told = await explain(deep, toLate);
  expect(told).toMatchObject({ reason: "notified" });
  expect(told.missingBlocks).toBeUndefined();
});

const named = `0x${"c4".repeat(32)}` as const;
/** Deploys a contract that logs the event with the word it is called with as its argument. */
const factoryCode = `0x602a600c600039602a6000f3${`6000357f${named.slice(2)}60006000a200`}` as const;

test("what a factory creates is watched after its log, which the explanation of an earlier transaction names", async () => {
  const child = freshAddress();
  const factory = await world.wallet.deployCode(factoryCode);
  const options = { metadata: { createdBy: { address: factory, eventSignature: named, argument: "topic1" } } };
  const id = await watch(options);
  const early = await world.wallet.send(child, 1n);
  const naming = await world.wallet.send(factory, 0n, pad(child, { size: 32 }));
  const later = await world.wallet.send(child, 2n);
  await notified(id, 1);

  expect(await explain(id, later)).toMatchObject({ notified: true, reason: "notified" });
  const found = await explain(id, early);
  const blockNumber = String(naming.blockNumber);
  expect(found).toMatchObject({ notified: false, reason: "not_yet_effective", fromBlock: blockNumber });
  expect(found.parts).toEqual([
    { address: child, role: "to", matches: true, fromBlock: blockNumber, namedBy: { blockNumber } },
  ]);
  const created = await explain(id, naming);
  // The log that names it is no activity of it that counts.
  expect(created).toMatchObject({ notified: false, reason: "not_yet_effective", fromBlock: blockNumber });
  const namedBy = { blockNumber, txHash: naming.transactionHash, logIndex: 0 };
  expect(created.parts).toMatchObject([{ address: child, role: "topic1", logIndex: 0, namedBy }]);
  // A preview knows what the block itself says.
  expect((await preview(options, naming)).transactions[0]).toMatchObject({
    ...{ matches: false, reason: "not_yet_effective", parts: created.parts.map(({ fromBlock: _, ...part }) => part) },
  });
  expect((await preview(options, later)).transactions[0]).toMatchObject({ reason: "not_watched" });
});

test("any address is previewed by those who may create such a webhook", async () => {
  const options = { metadata: { anyAddress: true, eventSignatures: [transferSignature] } };
  const token = await deployToken("Any");
  const sent = await world.wallet.call(token, "transfer", [freshAddress(), 1n]);
  const [found] = (await preview(options, sent)).transactions;
  const emitter = token.address.toLowerCase();
  const parts = [{ address: emitter, role: "emitter", logIndex: 0, topic0: transferSignature, matches: true }];
  expect(found).toMatchObject({ reason: "matches", parts, partCount: 1 });

  await world.followed(sent.blockNumber);
  const id = await watch(options);
  const again = await world.wallet.call(token, "transfer", [freshAddress(), 1n]);
  await notified(id, 1);
  expect(await explain(id, again)).toMatchObject({ reason: "notified", parts });
  const quiet = await world.wallet.send(freshAddress(), 1n);
  expect(await explain(id, quiet)).toMatchObject({ reason: "other_event", parts: [], matches: false });

  const said = "metadata.anyAddress must be allowed by the operator: the account may have at most 1 webhook with it.";
  expect(await refusal(preview(options, sent))).toEqual([403, said]);
  await world.client.deleteWebhook({ path: { id } });
  expect((await preview(options, sent)).matchCount).toBe(1);
});

test("what creation refuses of the options, a preview refuses in the same words", async () => {
  const { transactionHash: txHash } = await world.wallet.send(freshAddress(), 1n);
  const addresses = [freshAddress()];
  const refused: Options[] = [
    { metadata: { addresses, conditions: { field: "args.amount", op: "eq", value: "1" } } },
    { metadata: { anyAddress: true } },
    {
      metadata: {
        addresses,
        abi: [{ type: "event", name: "E", inputs: [{ name: "a", type: "uint7", indexed: false }] }],
      },
    },
    { metadata: {} },
  ];
  for (const options of refused) {
    const created = await refusal(watch(options));
    expect(created).toEqual([400, expect.any(String)]);
    expect(await refusal(preview(options, { transactionHash: txHash }))).toEqual(created);
  }
});
