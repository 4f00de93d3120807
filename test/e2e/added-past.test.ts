/** Addresses that are added with their past: a replay brings it, of them alone, and nothing comes twice. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebhooksError } from "../../client/index.ts";
import { setQuotas } from "../../server/store/accounts/quotas.ts";
import { freshAddress, type LocalChain, openChain } from "../chain/local-chain.ts";
import { notifiedOf, standing } from "../chain/notified.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let world: World;
let chain: LocalChain;
const [known, added] = [freshAddress(), freshAddress()];

beforeAll(async () => {
  world = await startWorld();
  chain = await openChain(world.node.rpcUrl);
  await chain.transfers(added, 3);
  await chain.transfers(known, 2);
  await chain.transfers(added, 3);
  await world.followed((await chain.head()).number);
});
afterAll(() => world.stop());

const create = (addresses: string[], more: object = {}) =>
  world.client.createWebhook({
    body: {
      ...{ url: `${world.receiver.url}/${crypto.randomUUID()}`, chainId: testChainId, eventType: "address_activity" },
      metadata: { addresses },
      ...more,
    },
  });

const add = (id: string, addresses: string[], fromBlock?: string) =>
  world.client.addWebhookAddresses({ path: { id }, body: { addresses, ...(fromBlock && { fromBlock }) } });

const replayOf = (id: string, replayId = "") => world.client.getReplay({ path: { id, replayId } });

const done = (id: string, replayId: string | undefined) =>
  eventually(async () => {
    const replay = await replayOf(id, replayId);
    expect(replay.status).toBe("done");
    return replay;
  });

const hashesOf = async (id: string) =>
  (await notifiedOf(world.service.database.pool, id)).map(({ transactionHash }) => transactionHash);

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "it succeeded",
    (error: unknown) => (error instanceof WebhooksError ? [error.status, error.body?.message] : error),
  );

const replaysOf = async (id: string) =>
  (await world.service.database.pool.query("SELECT FROM replays WHERE webhook_id = $1", [id])).rowCount;

test("their past arrives as a replay, and nothing else of the range is sent again or added", async () => {
  const webhook = await create([known]);
  await chain.transfer(known);
  await eventually(async () => expect(await hashesOf(webhook.id)).toHaveLength(1));
  const change = await add(webhook.id, [known, added], "2");
  expect(change.changed).toBe(1);
  const replay = await done(webhook.id, change.replayId);
  expect(replay).toMatchObject({
    ...{ fromBlock: "2", toBlock: String(BigInt(change.effectiveFromBlock) - 1n), resentCount: 0, addedCount: 5 },
    currentBlock: replay.toBlock,
  });
  const past = (await chain.transactionsTo(added)).filter(({ blockNumber }) => blockNumber >= 2);
  const [first, ...rest] = await hashesOf(webhook.id);
  expect(first).toBe((await chain.transactionsTo(known)).at(-1)?.hash);
  expect(rest).toEqual(past.map(({ hash }) => hash));
  const { hash } = await chain.transfer(added);
  await eventually(async () => expect((await hashesOf(webhook.id)).slice(6)).toEqual([hash]));
  const { pathname: path } = new URL(webhook.url ?? "");
  expect(await world.receiver.waitFor(7, (one) => one.path === path)).toHaveLength(7);
});

test("a transaction that was notified for another address does not come again", async () => {
  const other = freshAddress();
  const webhook = await create([other], { fromBlock: "1" });
  const [sender = ""] = await chain.rpc<string[]>("eth_accounts");
  await chain.transfers(other, 2);
  await eventually(async () => expect(await hashesOf(webhook.id)).toHaveLength(2));
  const before = await hashesOf(webhook.id);
  // It takes part in all of them.
  const { replayId } = await add(webhook.id, [sender], "1");
  const { addedCount } = await done(webhook.id, replayId);
  const all = await hashesOf(webhook.id);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length - before.length).toBe(addedCount);
  const onChain = [...(await chain.transactionsByReceiver(1)).values()].flat().map(({ hash }) => hash);
  expect(all.toSorted()).toEqual(onChain.toSorted());
});

test("a repeated request returns the same replay, and addresses that were there bring none", async () => {
  const webhook = await create([known]);
  const first = await add(webhook.id, [added], "1");
  expect(first.replayId).toBeDefined();
  expect(await add(webhook.id, [added], "1")).toMatchObject({ changed: 0, replayId: first.replayId });
  expect((await add(webhook.id, [known], "1")).replayId).toBeUndefined();
  expect((await add(webhook.id, [freshAddress()])).replayId).toBeUndefined();
  expect(await replaysOf(webhook.id)).toBe(1);
});

test("what cannot be is refused, and nothing is half done", async () => {
  const webhook = await create([known]);
  const { pool } = world.service.database;
  const { number: newest } = await chain.head();
  await world.followed(newest);
  const newestBlock = `fromBlock must be at most ${newest}, the newest block of chain ${testChainId}.`;
  expect(await refusal(add(webhook.id, [added], String(newest + 1)))).toEqual([400, newestBlock]);
  expect(await refusal(add(webhook.id, [added], "9999999999999999999"))).toEqual([400, newestBlock]);
  for (const wrong of ["-1", "0x1", "1.5", "01"])
    expect(await refusal(add(webhook.id, [added], wrong))).toEqual([400, expect.stringMatching(/^fromBlock must /)]);
  const toRemove = { addresses: [known], fromBlock: "1" };
  expect(
    await refusal(world.client.removeWebhookAddresses({ path: { id: webhook.id }, body: toRemove as never })),
  ).toEqual([400, expect.stringContaining("fromBlock")]);
  await setQuotas(pool, "test", { historyBlocks: 1 });
  try {
    expect(await refusal(add(webhook.id, [added], "1"))).toEqual([403, expect.stringContaining("blocks of the past")]);
  } finally {
    await setQuotas(pool, "test", { historyBlocks: null });
  }
  await pool.query(
    `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block, due_at)
     SELECT gen_random_uuid(), account_id, id, chain_id, 1, 1, 1, 'infinity' FROM webhooks, generate_series(1, 10) WHERE id = $1`,
    [webhook.id],
  );
  expect(await refusal(add(webhook.id, [added], "1"))).toEqual([409, expect.stringContaining("10 unfinished replays")]);
  const { addresses } = await world.client.listWebhookAddresses({ path: { id: webhook.id } });
  expect(addresses).toEqual([known]);
  expect((await add(webhook.id, [added])).changed).toBe(1);
});

/** Keeps replays waiting until the next step of a test. */
async function held(work: () => Promise<void>): Promise<void> {
  const { pool } = world.service.database;
  await pool.query("ALTER TABLE replays ALTER due_at SET DEFAULT 'infinity'");
  try {
    await work();
  } finally {
    await pool.query("ALTER TABLE replays ALTER due_at SET DEFAULT clock_timestamp()");
    await pool.query("UPDATE replays SET due_at = clock_timestamp() WHERE due_at = 'infinity'");
  }
}

test("of addresses that are removed meanwhile nothing more comes, also if they are added again", async () => {
  const webhook = await create([known]);
  const [removed, again] = [freshAddress(), freshAddress()];
  for (const address of [removed, again, removed]) await chain.transfer(address);
  const { number: newest } = await chain.head();
  await world.followed(newest);
  const from = String(newest - 2);
  let first: string | undefined;
  await held(async () => {
    ({ replayId: first } = await add(webhook.id, [removed, again, added], from));
    await world.client.removeWebhookAddresses({ path: { id: webhook.id }, body: { addresses: [removed, again] } });
    await add(webhook.id, [again]);
  });
  expect(await done(webhook.id, first)).toMatchObject({ addedCount: 0 });
  expect(await hashesOf(webhook.id)).toEqual([]);
  // Added once more with its past, it has a replay of its own.
  await world.client.removeWebhookAddresses({ path: { id: webhook.id }, body: { addresses: [again] } });
  const second = await add(webhook.id, [again], from);
  expect(await done(webhook.id, second.replayId)).toMatchObject({ addedCount: 1 });
});

test("an explanation says that the replay has not come to a block yet, and what it has done", async () => {
  const webhook = await create([known]);
  const address = freshAddress();
  const { hash: txHash, blockNumber } = await chain.transfer(address);
  await world.followed(blockNumber);
  const explained = () => world.client.explainWebhook({ path: { id: webhook.id }, query: { txHash } });
  let replayId: string | undefined;
  await held(async () => {
    ({ replayId } = await add(webhook.id, [address], String(blockNumber)));
    expect(await explained()).toMatchObject({ notified: false, reason: "not_followed_yet", matches: true });
  });
  await done(webhook.id, replayId);
  expect(await explained()).toMatchObject({ notified: true, reason: "notified" });
  expect((await explained()).parts[0]?.fromBlock).toBeUndefined();
});

test("a block that is replaced after the replay is done is taken back, and what replaces it is added", async () => {
  const webhook = await create([known]);
  const address = freshAddress();
  const mined = await chain.transfer(address);
  await world.followed(mined.blockNumber);
  const { replayId } = await add(webhook.id, [address], String(mined.blockNumber));
  await done(webhook.id, replayId);
  expect(await hashesOf(webhook.id)).toEqual([mined.hash]);
  await chain.reorg(1, [{ to: address, at: 0 }]);
  await chain.mine();
  const expected = (await chain.transactionsTo(address)).map(({ hash }) => hash);
  expect(expected).not.toContain(mined.hash);
  await eventually(async () => {
    const notified = await notifiedOf(world.service.database.pool, webhook.id);
    expect(standing(notified).map(({ hash }) => hash)).toEqual(expected);
  });
  expect(await done(webhook.id, replayId)).toMatchObject({ addedCount: 2, resentCount: 0 });
});

test("a webhook that is in its history itself gets both, each once", async () => {
  const [address, other] = [freshAddress(), freshAddress()];
  await chain.transfer(address);
  await chain.transfer(other);
  await world.followed((await chain.head()).number);
  const webhook = await create([address], { fromBlock: "1" });
  const { replayId } = await add(webhook.id, [other], "1");
  expect(await done(webhook.id, replayId)).toMatchObject({ addedCount: 1 });
  await chain.transfer(other);
  const expected = [...(await chain.transactionsTo(address)), ...(await chain.transactionsTo(other))];
  await eventually(async () =>
    expect((await hashesOf(webhook.id)).toSorted()).toEqual(expected.map(({ hash }) => hash).toSorted()),
  );
});

const receivedBy = ({ url = "" }: { url?: string }) =>
  world.receiver.deliveries.filter(({ path }) => path === new URL(url).pathname);

test("what is added while the webhook is inactive is sent once it is active again", async () => {
  const webhook = await create([known]);
  const address = freshAddress();
  const { blockNumber } = await chain.transfer(address);
  await world.followed(blockNumber);
  const path = { id: webhook.id };
  await world.client.updateWebhook({ path, body: { status: "inactive" } });
  const { replayId } = await add(webhook.id, [address], String(blockNumber));
  expect(await done(webhook.id, replayId)).toMatchObject({ addedCount: 1 });
  expect(receivedBy(webhook)).toEqual([]);
  await world.client.updateWebhook({ path, body: { status: "active" } });
  await eventually(async () => expect(receivedBy(webhook)).toHaveLength(1));
});

test("a transaction of which nothing is on record any more comes again, under the same messageId", async () => {
  const address = freshAddress();
  const webhook = await create([address]);
  const [sender = ""] = await chain.rpc<string[]>("eth_accounts");
  const { blockNumber } = await chain.transfer(address);
  await eventually(async () => expect(receivedBy(webhook)).toHaveLength(1));
  await world.service.database.pool.query("DELETE FROM notifications WHERE webhook_id = $1", [webhook.id]);
  const { replayId } = await add(webhook.id, [sender], String(blockNumber));
  expect(await done(webhook.id, replayId)).toMatchObject({ addedCount: 1 });
  await eventually(async () => expect(receivedBy(webhook)).toHaveLength(2));
  const [first, again] = receivedBy(webhook);
  expect(again?.notification.messageId).toBe(first?.notification.messageId);
  expect(again?.sequence).toBe(2);
});
