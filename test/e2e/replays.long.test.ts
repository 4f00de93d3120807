/** Replays of blocks on a real chain: what was notified comes again, what was missed is added, and nothing else changes. */

import { pad } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OperationResult } from "../../client/index.ts";
import { eventually } from "../support/eventually.ts";
import { patienceMs } from "../support/patience.ts";
import type { Delivered } from "../support/receiver.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let next = 0x3000n;
const freshAddress = () => pad(`0x${(next++).toString(16)}`, { size: 20 });

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

async function watch(address: string) {
  const path = `/${crypto.randomUUID()}`;
  const url = world.receiver.url + path;
  const { id } = await world.client.createWebhook({
    body: { url, chainId: testChainId, eventType: "address_activity", metadata: { addresses: [address] } },
  });
  return { id, delivered: (count: number) => world.receiver.waitFor(count, (delivered) => delivered.path === path) };
}

type Replay = OperationResult<"getReplay">;

async function replay(id: string, fromBlock: bigint, toBlock: bigint): Promise<Replay> {
  const body = { fromBlock: String(fromBlock), toBlock: String(toBlock), includeEarlier: true };
  return world.client.createReplay({ path: { id }, body });
}

async function until(id: string, replayId: string, wanted: (replay: Replay) => boolean): Promise<Replay> {
  for (const deadline = performance.now() + patienceMs; ; await new Promise((resolve) => setTimeout(resolve, 25))) {
    const found = await world.client.getReplay({ path: { id, replayId } });
    if (wanted(found)) return found;
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(found)}`);
  }
}

const done = ({ status }: Replay) => status === "done";
const sentValue = ({ notification }: Delivered) => notification.event.transaction.value;
const idOf = ({ notification }: Delivered) => notification.messageId;

test("a replay sends old notifications unchanged, and adds those missed before and during a pause in order", async () => {
  const to = freshAddress();
  const before = await world.wallet.send(to, 1n);
  await world.followed(before.blockNumber);
  const webhook = await watch(to);
  await world.wallet.send(to, 2n);
  await webhook.delivered(1);
  const path = { id: webhook.id };
  await world.client.updateWebhook({ path, body: { status: "inactive" } });
  const paused = await world.wallet.send(to, 3n);
  await world.followed(paused.blockNumber);
  await world.client.updateWebhook({ path, body: { status: "active" } });
  const last = await world.wallet.send(to, 4n);
  await webhook.delivered(2);
  // Also on record, so that both are sent again and not left to their first attempt.
  for (;;) {
    const { notifications } = await world.client.listNotifications({ path, query: { status: "delivered" } });
    if (notifications.length === 2) break;
  }

  const created = await replay(webhook.id, before.blockNumber, last.blockNumber);
  expect(created).toMatchObject({ status: "queued", webhookId: webhook.id, resentCount: 0, addedCount: 0 });
  const finished = await until(webhook.id, created.id, done);
  expect(finished).toMatchObject({
    resentCount: 2,
    addedCount: 2,
    currentBlock: String(last.blockNumber),
    finishedAt: expect.any(Number),
  });
  const all = await webhook.delivered(6);
  const [second, fourth, ...replayed] = all as [Delivered, Delivered, ...Delivered[]];
  expect([sentValue(second), sentValue(fourth)]).toEqual(["2", "4"]);
  const again = replayed.filter(({ sequence }) => sequence <= 2).sort((a, b) => a.sequence - b.sequence);
  expect(again.map(({ rawBody }) => rawBody)).toEqual([second.rawBody, fourth.rawBody]);
  const added = replayed.filter(({ sequence }) => sequence > 2).sort((a, b) => a.sequence - b.sequence);
  expect(added.map((one) => [one.sequence, sentValue(one)])).toEqual([
    [3, "1"],
    [4, "3"],
  ]);
  const listed: number[] = [];
  for await (const page of world.client.pages("listNotifications", { path, query: { pageSize: 1 } }))
    listed.push(...page.notifications.map(({ sequence }) => sequence));
  expect(listed).toEqual([1, 2, 3, 4]);
  const detail = await world.client.getNotification({ path: { ...path, messageId: idOf(second) } });
  expect(detail.attempts.map(({ number, trigger }) => [number, trigger])).toEqual([
    [1, "schedule"],
    [2, "replay"],
  ]);
  const once = await until(webhook.id, (await replay(webhook.id, before.blockNumber, last.blockNumber)).id, done);
  expect(once).toMatchObject({ resentCount: 4, addedCount: 0 });
  expect((await webhook.delivered(10)).length).toBe(10);
});

test("a replay resumes after a restart, while live activity keeps its gapless sequence", async () => {
  const to = freshAddress();
  const first = await world.wallet.send(to, 1n);
  for (let value = 2n; value <= 30n; value += 1n) await world.wallet.send(to, value);
  await world.followed(first.blockNumber + 29n);
  const webhook = await watch(to);
  const other = await watch(to);
  const { id } = await replay(webhook.id, first.blockNumber, first.blockNumber + 29n);
  const running = await until(webhook.id, id, ({ addedCount }) => addedCount >= 5);
  expect(running).toMatchObject({ status: "running", resentCount: 0 });
  await world.wallet.send(to, 31n);
  await world.restart();
  const after = await world.client.getReplay({ path: { id: webhook.id, replayId: id } });
  expect(after.addedCount).toBeLessThan(30);
  await world.wallet.send(to, 32n);
  const finished = await until(webhook.id, id, done);
  expect(finished).toMatchObject({ addedCount: 30, resentCount: 0, currentBlock: String(first.blockNumber + 29n) });

  const delivered = await webhook.delivered(32);
  const bySequence = delivered.toSorted((a, b) => a.sequence - b.sequence);
  expect(bySequence.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 32 }, (_, n) => n + 1));
  expect(new Set(delivered.map(idOf)).size).toBe(32);
  const values = bySequence.map((one) => Number(sentValue(one)));
  expect(values.filter((value) => value <= 30)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
  expect(values.filter((value) => value > 30)).toEqual([31, 32]);
  expect((await other.delivered(2)).map((one) => [one.sequence, sentValue(one)])).toEqual([
    [1, "31"],
    [2, "32"],
  ]);
});

test("what a replay added is retracted when its block leaves the chain", async () => {
  const to = freshAddress();
  const missed = await world.wallet.send(to, 9n);
  await world.followed(missed.blockNumber);
  const webhook = await watch(to);
  await until(webhook.id, (await replay(webhook.id, missed.blockNumber, missed.blockNumber)).id, done);
  const [added] = await webhook.delivered(1);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "anvil_reorg", params: [1, []] });
  await fetch(world.node.rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
  await world.wallet.send(freshAddress(), 1n);
  const [, retraction] = await webhook.delivered(2);
  expect(retraction?.sequence).toBe(2);
  expect(retraction?.notification.event).toMatchObject({
    removed: true,
    transaction: added?.notification.event.transaction,
  });
});

test("what a replay finds for an inactive webhook is added and waits until it is active", async () => {
  const to = freshAddress();
  const missed = await world.wallet.send(to, 7n);
  await world.followed(missed.blockNumber);
  const webhook = await watch(to);
  const path = { id: webhook.id };
  await world.client.updateWebhook({ path, body: { status: "inactive" } });
  const { id } = await replay(webhook.id, missed.blockNumber, missed.blockNumber);
  expect(await until(webhook.id, id, done)).toMatchObject({ addedCount: 1 });
  const waiting = await world.client.listNotifications({ path, query: { status: "pending" } });
  expect(waiting.notifications).toMatchObject([{ sequence: 1, attemptCount: 0 }]);
  await world.client.updateWebhook({ path, body: { status: "active" } });
  expect((await webhook.delivered(1)).map(sentValue)).toEqual(["7"]);
});

test("deleting the webhook ends its replays", async () => {
  const webhook = await watch(freshAddress());
  const { chains } = await world.client.listChains();
  const { id } = await replay(webhook.id, 0n, BigInt(chains[0]?.followedBlock ?? "0"));
  await world.client.deleteWebhook({ path: { id: webhook.id } });
  const { pool } = world.service.database;
  const unfinished = "SELECT FROM replays WHERE id = $1 AND status IN ('queued', 'running')";
  expect((await pool.query(unfinished, [id])).rowCount).toBe(0);
  // The rows go in the background.
  await eventually(async () => expect((await pool.query("SELECT FROM replays WHERE id = $1", [id])).rowCount).toBe(0));
});

test("a block that the node does not return is retried, and after a day the replay fails", async () => {
  const webhook = await watch(freshAddress());
  const { pool } = world.service.database;
  // The last test here.
  await world.node.stop();
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block)
     SELECT gen_random_uuid(), account_id, id, $2, 1, 1, 1 FROM webhooks WHERE id = $1 RETURNING id`,
    [webhook.id, testChainId],
  );
  const id = rows[0]?.id ?? "";
  const failures = async () => (await pool.query("SELECT failures FROM replays WHERE id = $1", [id])).rows[0].failures;
  for (const deadline = performance.now() + patienceMs; (await failures()) < 2 && performance.now() < deadline; );
  expect(await until(webhook.id, id, () => true)).toMatchObject({ status: "queued" });
  await pool.query("UPDATE replays SET failures = 2879, due_at = now() WHERE id = $1", [id]);
  expect(await until(webhook.id, id, ({ status }) => status === "failed")).toMatchObject({
    statusReason: "Block 1 was not returned by any node of the chain for a day.",
    finishedAt: expect.any(Number),
  });
});
