import { expect, onTestFinished, test } from "vitest";
import type { NewWebhook } from "../../server/matching/new-webhook.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { addAddresses, removeAddresses } from "../../server/store/webhooks/addresses.ts";
import type { Webhook } from "../../server/store/webhooks/webhooks.ts";
import { soon, startChainWorld } from "../chain/chain-world.ts";
import { freshAddress, type LocalChain } from "../chain/local-chain.ts";
import { standing } from "../chain/notified.ts";
import { startRestlessWorld } from "./restless-world.ts";

const addresses = Array.from({ length: 8 }, () => freshAddress());

const transfer = {
  type: "event" as const,
  name: "Transfer",
  inputs: [{ name: "from", type: "address", indexed: true }],
};

/** What each webhook has besides its addresses, and how much a transaction must move for it. */
const kindsOfWebhooks: (Partial<NewWebhook> & { above?: bigint; inHistory?: true })[] = [
  {},
  { options: { finality: "both" } },
  { includeInternalTxs: true, inHistory: true },
  { options: { finality: { confirmations: 2 }, abi: [transfer] }, includeLogs: true },
  { options: { conditions: { field: "transaction.value", op: "gt", value: "1" } }, above: 1n },
  { options: { finality: "finalized", batch: { maxItems: 5, maxWaitMs: 0 } }, inHistory: true },
  { options: { ordered: true }, includeLogs: true },
  { options: { createdBy: { address: freshAddress(), eventSignature: `0x${"ab".repeat(32)}`, argument: "topic1" } } },
];

type Block = { hash: string; transactions: { hash: string; to: string | null; value: string }[] };
const blockAt = (chain: LocalChain, number: number) =>
  chain.rpc<Block>("eth_getBlockByNumber", [`0x${number.toString(16)}`, true]);

test("each webhook is notified of each address from its block on, once, whatever is replaced and killed meanwhile", async () => {
  const { world, random, round, settle } = await startRestlessWorld({ seed: 47, to: addresses, blocks: 120 });
  const { chain, pool } = world;
  const webhooks: { webhook: Webhook; above: bigint; from: Map<string, number> }[] = [];
  for (const { above = 0n, inHistory, ...wanted } of kindsOfWebhooks) {
    const { hash } = await blockAt(chain, 9);
    const history = inHistory && { history: { from: 10, cursor: { number: 9, hash } } };
    const [address = ""] = addresses;
    const webhook = await world.watch({ ...wanted, addresses: [address], ...history });
    webhooks.push({ webhook, above, from: new Map([[address, Number(webhook.effectiveFromBlock)]]) });
  }
  for (let turn = 0; turn < 21; turn += 1) {
    for (const { webhook, from: watchedFrom } of webhooks) {
      const address = addresses[1 + Math.floor(turn / 3)] ?? "";
      if (watchedFrom.has(address) || random(2) === 0) continue;
      const { number: newest } = await soon(async () => (await world.cursor()) ?? expect.fail("no cursor"));
      const from = Math.max(1, random(3) === 0 ? newest - random(4) : 1 + random(newest));
      const change = await inTransaction(pool, (db) => addAddresses(db, 1, webhook.id, [address], { from })).catch(
        (error: unknown) => {
          expect(error).toMatchObject({ code: "too_many_replays" });
        },
      );
      if (change) watchedFrom.set(address, Math.min(from, change.firstBlock));
    }
    await round(turn);
  }
  await settle();
  await soon(async () => {
    const unfinished =
      "SELECT FROM replays WHERE status IN ('queued', 'running') UNION ALL SELECT FROM replaced_blocks";
    expect((await pool.query(unfinished)).rowCount).toBe(0);
  }, 300_000);
  const mined: { place: string; blockNumber: number; to: string; value: bigint }[] = [];
  const { number: last } = await chain.head();
  for (let number = 1; number <= last; number += 1) {
    const block = await blockAt(chain, number);
    for (const { hash, to, value } of block.transactions)
      mined.push({
        place: `${block.hash} ${hash}`,
        blockNumber: number,
        to: to?.toLowerCase() ?? "",
        value: BigInt(value),
      });
  }
  expect((await pool.query("SELECT FROM replays")).rowCount).toBeGreaterThan(20);
  for (const { webhook, above, from } of webhooks) {
    const expected = mined.filter(
      ({ to, blockNumber, value }) => value > above && blockNumber >= (from.get(to) ?? Infinity),
    );
    const notified = await world.notified(webhook);
    // With `both` each comes twice, in two rows of their own.
    for (const part of webhook.finality === "both" ? [true, false] : [undefined]) {
      const some = notified.filter(({ event }) => part === undefined || (event.finalized ?? false) === part);
      const stands = standing(some).map(({ hash, blockHash }) => `${blockHash} ${hash}`);
      const label = `${JSON.stringify(webhook.metadata)} ${JSON.stringify(webhook.finality)} ${JSON.stringify([...from])}`;
      expect(stands.toSorted(), label).toEqual(expected.map(({ place }) => place).toSorted());
    }
  }
  expect((await pool.query("SELECT sum(resent)::int AS resent FROM replays")).rows).toEqual([{ resent: 0 }]);
});

test("a replay whose addresses are removed in its middle sends nothing more, also after a restart", async () => {
  const world = await startChainWorld();
  onTestFinished(() => world.stop());
  const { chain, pool, proxy } = world;
  const address = freshAddress();
  await world.start();
  await world.followed();
  await chain.transfers(address, 60);
  await world.followed();
  const webhook = await world.watch({ addresses: [freshAddress()] });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  proxy.answer = async ({ method, params: [number] }, forward) => {
    if (method === "eth_getBlockByNumber" && Number(number) >= 33) await held;
    return forward();
  };
  const { replayId } = await inTransaction(pool, (db) => addAddresses(db, 1, webhook.id, [address], { from: 1 }));
  await soon(async () => expect((await world.notified(webhook)).length).toBeGreaterThan(0));
  const before = await soon(async () => {
    const { rows } = await pool.query<{ added: number; next: number }>(
      "SELECT added, next_block AS next FROM replays WHERE id = $1",
      [replayId],
    );
    expect(rows[0]?.next).toBeGreaterThan(24);
    return rows[0]?.added ?? 0;
  });
  await inTransaction(pool, (db) => removeAddresses(db, 1, webhook.id, [address]));
  const count = (await world.notified(webhook)).length;
  release();
  await world.halt();
  await world.start();
  await soon(async () => expect((await pool.query("SELECT status FROM replays")).rows).toEqual([{ status: "done" }]));
  expect((await world.notified(webhook)).length).toBe(count);
  expect(count).toBeLessThan(60);
  expect(count).toBeGreaterThanOrEqual(before);
});
