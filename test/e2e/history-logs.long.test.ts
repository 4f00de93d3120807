/** What nodes do to histories by logs: they leave out, invent, refuse and are away. Nothing is missing, and nothing is added. */
import { expect, onTestFinished, test } from "vitest";
import { inTransaction } from "../../server/store/pool.ts";
import { addAddresses } from "../../server/store/webhooks/addresses.ts";
import { updateWebhook } from "../../server/store/webhooks/changes.ts";
import { standing } from "../chain/notified.ts";
import { type RpcAnswer, type RpcCall, type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";
import {
  assertNotified,
  byLogs,
  contract,
  doubts,
  type EmittedLog,
  emit,
  expected,
  gate,
  hasEnded,
  isLogs,
  mineFinal,
  mineSome,
  otherContract,
  otherSignature,
  party,
  rangeOf,
  recorded,
  signature,
  topicOf,
  useSparseWorld,
  withSecondNode,
  world,
} from "./sparse-world.ts";

useSparseWorld();

/** Has a node return other logs than it has. */
function changeLogs(proxy: RpcProxy, change: (logs: EmittedLog[], call: RpcCall) => unknown): void {
  proxy.answer = async (call, forward) => {
    const answer = await forward();
    if (!isLogs(call) || typeof answer !== "object" || !("result" in answer)) return answer;
    return { result: change(answer.result as EmittedLog[], call) };
  };
}

test("where one of two nodes leaves a log out, the blocks are read whole, and the log names both", async () => {
  const second = await withSecondNode();
  const { from } = await mineFinal();
  changeLogs(second, (logs) => logs.slice(1));
  const webhook = await byLogs(from);
  await assertNotified(webhook, from);
  expect(doubts()[0]).toMatchObject({
    nodes: [world.proxy.url, second.url],
    from,
    reason: expect.stringMatching(/^the logs of block/),
  });
  // The other way round.
  await world.halt();
  world.proxy.answer = second.answer;
  second.answer = (_, forward) => forward();
  const { metricsUrl } = await world.start({ rpcUrls: [world.proxy.url, second.url] });
  await assertNotified(await byLogs(from + 2), from + 2);
  const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
  expect(metrics).toMatch(/^chain_webhooks_chain_logs_contradicted_total\{.*\} [1-9]/m);
});

test.each<[string, (log: EmittedLog) => object]>([
  [
    "a log that its block does not have",
    (log) => ({ ...log, logIndex: "0x7", transactionHash: `0x${"9".repeat(64)}` }),
  ],
  ["a log of a block that is not there", (log) => ({ ...log, blockHash: `0x${"9".repeat(64)}` })],
  ["a log that was not asked for", (log) => ({ ...log, topics: [otherSignature] })],
  ["a log of another block than was asked for", (log) => ({ ...log, blockNumber: "0xfffffff" })],
  ["a log that has left the chain", (log) => ({ ...log, removed: true })],
  ["a log without its place", ({ blockNumber: _, ...log }) => log],
])("a node that invents %s adds nothing, alone or beside another", async (_, invent) => {
  const { from } = await mineFinal();
  const change = (logs: EmittedLog[]) => logs.flatMap((log, index) => (index === 0 ? [log, invent(log)] : [log]));
  changeLogs(world.proxy, change);
  await assertNotified(await byLogs(from), from);
  expect(doubts()).not.toEqual([]);
  await withSecondNode();
  await assertNotified(await byLogs(from + 2), from + 2);
});

test.each<[string, (answered: number, blocks: number) => RpcAnswer | undefined]>([
  [
    "blocks",
    (_, blocks) => (blocks > 7 ? { error: { code: -32602, message: "block range is limited to 7" } } : undefined),
  ],
  ["results", (count) => (count > 1 ? { error: { code: -32005, message: "limit exceeded" } } : undefined)],
  ["bytes", (count) => (count > 1 ? { status: 413, text: "" } : undefined)],
  ["time", (_, blocks) => (blocks > 30 ? { error: { code: -32000, message: "query timeout exceeded" } } : undefined)],
])("ranges adapt to what a node allows in %s, and nothing is missing", async (_, limit) => {
  const { from } = await mineFinal();
  // What it learned of this node before is forgotten.
  await world.halt();
  await world.start();
  const refused: string[] = [];
  world.proxy.answer = async (call, forward) => {
    const answer = await forward();
    if (!isLogs(call) || typeof answer !== "object" || !("result" in answer)) return answer;
    const [from, to] = rangeOf(call);
    const refusal = limit((answer.result as unknown[]).length, to - from + 1);
    if (refusal) refused.push(JSON.stringify(call.params));
    return refusal ?? answer;
  };
  await assertNotified(await byLogs(from), from);
  expect(refused.length).toBeGreaterThan(0);
  // Nothing that was refused is asked again as it was.
  expect(new Set(refused).size).toBe(refused.length);
  expect(doubts()).toEqual([]);
});

test("of nodes without eth_getLogs the blocks are read whole, and of two nodes of which one is away", async () => {
  const { from } = await mineFinal();
  const unknown: RpcProxy["answer"] = (call, forward) =>
    isLogs(call) ? { error: { code: -32601, message: "the method eth_getLogs does not exist" } } : forward();
  world.proxy.answer = unknown;
  await assertNotified(await byLogs(from), from);
  expect(doubts()[0]).toMatchObject({ reason: expect.stringMatching(/does not know it/) });
  const second = await withSecondNode();
  await assertNotified(await byLogs(from + 1), from + 1);
  world.proxy.answer = (_, forward) => forward();
  second.down = true;
  await assertNotified(await byLogs(from + 2), from + 2);
  // A third one is asked for the second's part.
  second.down = false;
  second.answer = unknown;
  await world.halt();
  world.logged.length = 0;
  const third = await startRpcProxy(world.node.rpcUrl);
  onTestFinished(() => third.close());
  await world.start({ rpcUrls: [world.proxy.url, second.url, third.url] });
  await assertNotified(await byLogs(from + 3), from + 3);
  expect(third.count("eth_getLogs")).toBeGreaterThan(0);
  expect(doubts()).toEqual([]);
  await world.halt();
});

test("addresses added meanwhile, a webhook that comes to the lane and one that wants traces from now on miss nothing", async () => {
  const { from } = await mineFinal();
  await world.halt();
  const [added, leaving] = [await byLogs(from, { addresses: [contract] }), await byLogs(from, { addresses: [party] })];
  await world.start();
  const [asked, release] = [gate(), gate()];
  world.proxy.answer = async (call, forward) => {
    if (isLogs(call)) {
      asked.open();
      await release.opened;
    }
    return forward();
  };
  await asked.opened;
  const late = await byLogs(from, { addresses: [otherContract] });
  const change = await inTransaction(world.pool, (db) => addAddresses(db, 1, added.id, [otherContract]));
  await inTransaction(world.pool, (db) => updateWebhook(db, 1, leaving.id, { includeInternalTxs: true }));
  await emit(otherContract, signature);
  await emit(party, signature);
  release.open();
  await assertNotified(late, from, [otherContract]);
  await assertNotified(leaving, from, [party]);
  await hasEnded(added);
  await recorded();
  const of = async (addresses: string[], since: number) => expected(addresses, [signature], since);
  const later = new Set(await of([contract, otherContract], change.firstBlock));
  const both = (await of([contract, otherContract], from)).filter((one) => later.has(one));
  const own = (await of([contract], from)).filter((one) => !later.has(one));
  const stands = standing(await world.notified(added)).map(({ hash, blockHash }) => `${blockHash} ${hash}`);
  expect(stands).toEqual([...own, ...both]);
});

test("where a block is final at once, one of the nodes behind an address may be some blocks behind, and nothing is missing", async () => {
  await world.halt();
  await world.start({ finality: "latest" });
  const { number } = await world.chain.head();
  const from = number + 1;
  await mineSome();
  await emit(contract, signature);
  await emit(otherContract, signature, topicOf(party));
  await recorded();
  // The one that is asked for logs has all but the newest blocks.
  const { number: head } = await world.chain.head();
  changeLogs(world.proxy, (logs) => logs.filter(({ blockNumber }) => Number(blockNumber) <= head - 3));
  await assertNotified(await byLogs(from), from);
});
