/** Previews and explanations on a real chain, through the real API: each reason there is, and what nodes do to them. */
import { createTestClient, http, pad } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OperationResult, WebhooksError } from "../../client/index.ts";
import { transferSignature } from "../../scripts/local/wallet.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let next = 0x7000n;
const freshAddress = () => pad(`0x${(next++).toString(16)}`, { size: 20 });

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const anvil = () => createTestClient({ mode: "anvil", transport: http(world.node.rpcUrl) });

async function watch(metadata: { addresses: string[]; eventSignatures?: string[]; includeInternalTxs?: boolean }) {
  const url = `${world.receiver.url}/${crypto.randomUUID()}`;
  return world.client.createWebhook({
    body: { url, chainId: testChainId, eventType: "address_activity", metadata },
  });
}

type Explanation = OperationResult<"explainWebhook">;
const explain = (id: string, txHash: string): Promise<Explanation> =>
  world.client.explainWebhook({ path: { id }, query: { txHash } });
const preview = (body: Parameters<World["client"]["previewWebhook"]>[0]["body"]) =>
  world.client.previewWebhook({ body });
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "it succeeded",
    (error: unknown) => (error instanceof WebhooksError ? [error.status, error.body?.message] : error),
  );

test("a notified transaction is explained by the address, its role and the notification", async () => {
  const to = freshAddress();
  const { id } = await watch({ addresses: [to] });
  const sent = await world.wallet.send(to, 1n);
  await world.receiver.waitFor(1, ({ notification }) => notification.webhookId === id);
  const found = await explain(id, sent.transactionHash.toUpperCase().replace("0X", "0x"));
  expect(found).toMatchObject({
    ...{ webhookId: id, txHash: sent.transactionHash, notified: true, reason: "notified", matches: true, partCount: 1 },
    ...{ blockNumber: String(sent.blockNumber), blockHash: sent.blockHash },
    parts: [{ address: to, role: "to", matches: true }],
  });
  expect(found.notifications).toHaveLength(1);
  expect(found.notifications[0]).toMatchObject({ sequence: 1, removed: false, txHash: sent.transactionHash });
  expect(found.message).toMatch(new RegExp(`^Notification 1 is \\w+. It matches: ${to} is its receiver.$`));
});

test("a preview shows exactly what a webhook is then sent, and creates nothing", async () => {
  const token = await world.wallet.deploy("ERC721PresetMinterPauserAutoId", ["T", "T", "https://example.com/"]);
  const to = freshAddress();
  const metadata = { addresses: [to], eventSignatures: [transferSignature], includeLogs: true };
  const webhook = await watch(metadata);
  const minted = await world.wallet.call(token, "mint", [to]);
  const [delivered] = await world.receiver.waitFor(1, ({ notification }) => notification.webhookId === webhook.id);
  const before = await world.client.listWebhooks();

  const found = await preview({ chainId: testChainId, metadata, txHash: minted.transactionHash });
  const [because] = found.transactions;
  expect(JSON.stringify(because?.payload?.event)).toBe(JSON.stringify(delivered?.notification.event));
  expect(found).toMatchObject({
    chainId: testChainId,
    blockHash: minted.blockHash,
    transactionCount: 1,
    matchCount: 1,
  });
  expect(because).toMatchObject({ matches: true, reason: "matches", partCount: 1 });
  expect(because?.parts).toEqual([
    { address: to, role: "topic2", logIndex: 0, topic0: transferSignature, matches: true },
  ]);
  expect(because?.message).toBe(`It matches: ${to} is the second indexed argument of log 0.`);

  const byBlock = await preview({ chainId: testChainId, metadata, blockNumber: String(minted.blockNumber) });
  expect(byBlock.transactions).toEqual(found.transactions);
  expect(await world.client.listWebhooks()).toEqual(before);
  const { rows } = await world.service.database.pool.query("SELECT FROM questions");
  expect(rows).toHaveLength(0);
});

test("a transaction that does not match says why: nobody watched, or another event", async () => {
  const token = await world.wallet.deploy("ERC721PresetMinterPauserAutoId", ["T", "T", "https://example.com/"]);
  const to = freshAddress();
  const other = await watch({ addresses: [token.address], eventSignatures: [`0x${"1".repeat(64)}`] });
  const stranger = await watch({ addresses: [freshAddress()] });
  const minted = await world.wallet.call(token, "mint", [to]);
  await world.followed(minted.blockNumber);
  const address = token.address.toLowerCase();
  expect(await explain(other.id, minted.transactionHash)).toMatchObject({
    ...{ notified: false, reason: "other_event", matches: false, partCount: 2, notifications: [] },
    parts: [
      { address, role: "to", matches: false },
      { address, role: "emitter", logIndex: 0, topic0: transferSignature, matches: false },
    ],
  });
  expect(await explain(stranger.id, minted.transactionHash)).toMatchObject({
    ...{ notified: false, reason: "not_watched", matches: false, parts: [], partCount: 0 },
    message: "It does not match: no watched address takes part in it.",
  });
});

test("before the webhook's first block, and before the address's, it is not yet effective; a replay notifies of it", async () => {
  const [to, added] = [freshAddress(), freshAddress()];
  const early = await world.wallet.send(to, 1n);
  await world.followed(early.blockNumber);
  const { id, effectiveFromBlock } = await watch({ addresses: [to] });
  const found = await explain(id, early.transactionHash);
  expect(found).toMatchObject({
    notified: false,
    reason: "not_yet_effective",
    matches: true,
    fromBlock: effectiveFromBlock,
  });

  const toAdded = await world.wallet.send(added, 2n);
  await world.followed(toAdded.blockNumber);
  const change = await world.client.addWebhookAddresses({ path: { id }, body: { addresses: [added] } });
  const later = await explain(id, toAdded.transactionHash);
  expect(later).toMatchObject({ reason: "not_yet_effective", matches: true, fromBlock: change.effectiveFromBlock });
  expect(later.parts).toEqual([{ address: added, role: "to", matches: true, fromBlock: change.effectiveFromBlock }]);

  const block = String(early.blockNumber);
  await world.client.createReplay({ path: { id }, body: { fromBlock: block, toBlock: block, includeEarlier: true } });
  await world.receiver.waitFor(1, ({ notification }) => notification.webhookId === id);
  expect(await explain(id, early.transactionHash)).toMatchObject({ notified: true, reason: "notified" });
});

test("while it was inactive, whether it is active again or not", async () => {
  const to = freshAddress();
  const { id } = await watch({ addresses: [to] });
  const first = await world.wallet.send(to, 1n);
  await world.receiver.waitFor(1, ({ notification }) => notification.webhookId === id);
  await world.client.updateWebhook({ path: { id }, body: { status: "inactive" } });
  const missed = await world.wallet.send(to, 2n);
  await world.followed(missed.blockNumber);
  const before = await explain(id, missed.transactionHash);
  expect(before).toMatchObject({ notified: false, reason: "webhook_inactive", matches: true });
  expect(before.fromBlock).toBeUndefined();
  const { effectiveFromBlock } = await world.client.updateWebhook({ path: { id }, body: { status: "active" } });
  expect(await explain(id, missed.transactionHash)).toMatchObject({
    reason: "webhook_inactive",
    fromBlock: effectiveFromBlock,
  });
  expect(await explain(id, first.transactionHash)).toMatchObject({ reason: "notified" });
});

test("internal transactions have their place, and only a webhook that wants them matches by them", async () => {
  const payee = freshAddress();
  const splitter = await world.wallet.deploy("PaymentSplitter", [[payee], [1n]]);
  await world.wallet.send(splitter.address, 1_000n);
  const without = await watch({ addresses: [payee] });
  const within = await watch({ addresses: [payee], includeInternalTxs: true });
  const { transactionHash } = await world.wallet.call(splitter, "release", [payee]);
  await world.receiver.waitFor(1, ({ notification }) => notification.webhookId === within.id);
  const found = await explain(within.id, transactionHash);
  expect(found).toMatchObject({ reason: "notified", matches: true });
  expect(found.parts).toEqual([{ address: payee, role: "call_to", internalIndex: 0, matches: true }]);
  expect(await explain(without.id, transactionHash)).toMatchObject({ reason: "not_watched", matches: false });
  const metadata = { addresses: [payee], includeInternalTxs: true };
  const { transactions } = await preview({ chainId: testChainId, metadata, txHash: transactionHash });
  expect(transactions[0]?.payload?.event.transaction.internalTransactions).toMatchObject([
    { to: payee, value: "1000" },
  ]);
});

test("a reorganised transaction is retracted, also when no node knows it any more", async () => {
  const to = freshAddress();
  const { id } = await watch({ addresses: [to] });
  const sent = await world.wallet.send(to, 1n);
  await world.receiver.waitFor(1, ({ notification }) => notification.webhookId === id);
  await anvil().request({ method: "anvil_reorg", params: [2, []] } as never);
  await anvil().mine({ blocks: 3 });
  await world.receiver.waitFor(2, ({ notification }) => notification.webhookId === id);
  const found = await explain(id, sent.transactionHash);
  expect(found).toMatchObject({ notified: false, reason: "retracted" });
  expect(found.notifications.map(({ removed }) => removed)).toEqual([false, true]);
});

test("a pending transaction is in no block yet, and an unknown one is a 400 that names it", async () => {
  const to = freshAddress();
  const { id } = await watch({ addresses: [to] });
  await anvil().setAutomine(false);
  const sending = world.wallet.send(to, 1n);
  let pending: string | undefined;
  while (pending === undefined) {
    const block = (await anvil().request({
      method: "eth_getBlockByNumber",
      params: ["pending", false],
    } as never)) as { transactions: string[] };
    pending = block.transactions[0];
  }
  expect(await explain(id, pending)).toMatchObject({ notified: false, reason: "pending", parts: [] });
  const said = "txHash must be that of a transaction in a block; it is in none yet.";
  expect(await refusal(preview({ chainId: testChainId, metadata: { addresses: [to] }, txHash: pending }))).toEqual([
    400,
    said,
  ]);
  await anvil().setAutomine(true);
  await anvil().mine({ blocks: 1 });
  await sending;
  const txHash = `0x${"ab".repeat(32)}`;
  const unknown = `txHash must be the hash of a transaction on chain ${testChainId}.`;
  expect(await refusal(explain(id, txHash))).toEqual([400, unknown]);
  expect(await refusal(preview({ chainId: testChainId, metadata: { addresses: [to] }, txHash }))).toEqual([
    400,
    unknown,
  ]);
  const blockNumber = "9".repeat(19);
  expect(await refusal(preview({ chainId: testChainId, metadata: { addresses: [to] }, blockNumber }))).toEqual([
    400,
    `blockNumber must be the number of a block that chain ${testChainId} has.`,
  ]);
});
