/** Webhooks that begin to want traces one after the other while those are missing: none waits for another, and no account for another. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { mostCatchUpLanes } from "../../../server/store/chains/lanes.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { updateWebhook } from "../../../server/store/webhooks/changes.ts";
import type { Webhook } from "../../../server/store/webhooks/webhooks.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";

let world: ChainWorld;
/** Blocks of which the node has no traces; undefined for all. */
let untraced: Set<string> | undefined;

beforeEach(async () => {
  untraced = undefined;
  world = await startChainWorld({ chain: { patienceMs: 1_000 } });
  const refused = { error: { code: -32000, message: "missing trie node" } };
  world.proxy.answer = ({ method, params }, forward) =>
    method.startsWith("debug_") && (untraced?.has(String(params[0])) ?? true) ? refused : forward();
  await world.start();
  await world.followed();
});
afterEach(() => world.stop());

const wantTraces = ({ id }: Webhook, includeInternalTxs: boolean) =>
  inTransaction(world.pool, (db) => updateWebhook(db, 1, id, { includeInternalTxs }));

/** A webhook that wants traces from the next block on, which is then mined. @returns it, and that block's hash */
async function beginToWait(): Promise<{ webhook: Webhook; hash: string }> {
  const webhook = await world.watch({ addresses: [freshAddress()] });
  await wantTraces(webhook, true);
  await world.chain.transfer(webhook.metadata.addresses[0] ?? "");
  const { hash } = await world.chain.head();
  await soon(async () => expect((await world.cursor())?.hash).toBe(hash));
  return { webhook, hash };
}

const catchUpLanes = async () =>
  (await world.pool.query<{ lane: number }>("SELECT lane FROM chain_lanes WHERE catches_up ORDER BY lane")).rows.length;

test("a block that no node can trace any more delays the webhooks that need it, and none that started later", async () => {
  const waiting = [await beginToWait(), await beginToWait(), await beginToWait(), await beginToWait()];
  expect(await catchUpLanes()).toBe(3);
  // Those of the first two stay as they are: what the node kept of old blocks is gone.
  untraced = new Set(waiting.slice(0, 2).map(({ hash }) => hash));
  for (const { webhook } of waiting.slice(2)) await world.assertExact(webhook);
  for (const { webhook } of waiting.slice(0, 2)) expect(await world.notified(webhook)).toEqual([]);
  await soon(async () => expect(await world.stopped({ traces: true })).toMatch(/traces/));
  untraced = new Set();
  await world.followed();
  for (const { webhook } of waiting) await world.assertExact(webhook);
  expect(await catchUpLanes()).toBe(0);
});

test("an account makes a bounded number of lanes, and may stop wanting traces at any time", async () => {
  const waiting: Webhook[] = [];
  // The first one is in the lane of its kind.
  for (let count = 0; count <= mostCatchUpLanes; count += 1) waiting.push((await beginToWait()).webhook);
  expect(await catchUpLanes()).toBe(mostCatchUpLanes);
  const next = await world.watch({ addresses: [freshAddress()] });
  await expect(wantTraces(next, true)).rejects.toMatchObject({
    code: "too_many_lanes",
    message: expect.stringMatching(/^includeInternalTxs cannot begin now/),
  });
  for (const webhook of waiting) await wantTraces(webhook, false);
  await world.chain.mine();
  await world.followed();
  for (const webhook of [...waiting, next]) await world.assertExact(webhook);
  await wantTraces(next, true);
});
