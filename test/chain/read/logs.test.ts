/** What nodes are asked for finds each log that can match, and what is looked for in the answers is exactly that. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { recordedBlocks } from "../../../scripts/local/recorded.ts";
import { connectNode, type Node, NodeError, NoLogsError } from "../../../server/chain/nodes/node.ts";
import { LogRange, LogRanges, RefusedMethods } from "../../../server/chain/nodes/node-limits.ts";
import { fetchHits, type LogFilter, logFilters, logTest } from "../../../server/chain/read/logs.ts";
import { hasFailed } from "../../../server/matching/bundle.ts";
import type { LogInterest } from "../../../server/matching/new-webhook.ts";
import { participantsOf } from "../../../server/matching/participants.ts";
import type { BlockBundle, Hex } from "../../../server/matching/wire.ts";
import { arbitraryBundle, arbitraryWebhooks, webhooksWatching } from "../../matching/arbitrary-bundle.ts";
import { type NaiveWebhook, naiveMatches } from "../../matching/naive.ts";
import { type RpcAnswer, type RpcCall, type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";
import { isSearched, runs } from "../../support/runs.ts";

type Log = { address: string; topics: string[]; index: number };

const logsOf = ({ receipts }: BlockBundle): Log[] =>
  receipts.flatMap((receipt, index) =>
    (hasFailed(receipt) ? [] : receipt.logs).map(({ address, topics }) => ({
      address: address.toLowerCase(),
      topics: topics.map((topic) => topic.toLowerCase()),
      index,
    })),
  );

/** As `eth_getLogs` is specified: an empty list means anything. */
const isFound = (log: Log, { address = [], topics }: LogFilter) =>
  (address.length === 0 || address.includes(log.address)) &&
  topics.every((values, at) => !values || values.length === 0 || values.includes(log.topics[at] ?? ""));

/** Those that can match by a log only. All together are asked for, as those of a lane are. */
function assertFound(bundle: BlockBundle, all: readonly NaiveWebhook[]): void {
  const webhooks = all
    .filter(({ eventSignatures }) => eventSignatures.length > 0)
    .map(({ options: _, ...webhook }, at) => ({
      ...{ ...webhook, includeInternalTxs: false },
      ...(at === 3 && { options: { anyAddress: true } }),
    }));
  const interest: LogInterest = webhooks.map(({ eventSignatures, addresses, options }) => ({
    signatures: eventSignatures,
    addresses: options?.anyAddress ? undefined : addresses,
  }));
  const filters = logFilters(interest);
  const canMatch = logTest(interest);
  const found = logsOf(bundle).filter((log) => filters.some((filter) => isFound(log, filter)) && canMatch(log));
  const matched = naiveMatches(bundle, webhooks).map((match) => Number(match.split(":")[0]));
  expect(new Set(found.map(({ index }) => index))).toEqual(new Set(matched));
}

test("on random blocks", () => {
  fc.assert(fc.property(arbitraryBundle, arbitraryWebhooks, assertFound), { numRuns: runs(200, 4_000) });
});

test.each(recordedBlocks().filter((block) => isSearched(block) && block.bundle.receipts.length > 0))(
  "on recorded block $name",
  ({ bundle }) => {
    const topics = bundle.receipts.flatMap(({ logs }) => logs.flatMap((log) => log.topics.slice(0, 1)));
    const webhooks = webhooksWatching(participantsOf(bundle) as Hex[], [...new Set(topics)]);
    fc.assert(
      fc.property(webhooks, (webhooks) => assertFound(bundle, webhooks)),
      { numRuns: runs(5, 20) },
    );
  },
);

test("who watches nothing has nothing asked for: an empty list would mean any address", () => {
  const signatures = [`0x${"a1".repeat(32)}`];
  expect(logFilters([{ signatures, addresses: [] }])).toEqual([]);
  expect(logFilters([{ signatures, addresses: undefined }])).toEqual([{ topics: [signatures] }]);
  const address = `0x${"b2".repeat(20)}`;
  // The signature is asked for already, wherever it is.
  expect(
    logFilters([
      { signatures, addresses: undefined },
      { signatures, addresses: [address] },
    ]),
  ).toEqual([{ topics: [signatures] }]);
});

test("no list has more than 1,000 addresses or topics, as nodes limit them, and all together have each with each", () => {
  const hex = (n: number, bytes: number) => `0x${n.toString(16).padStart(2 * bytes, "0")}`;
  const signatures = Array.from({ length: 1_100 }, (_, n) => hex(n, 32));
  const addresses = Array.from({ length: 2_000 }, (_, n) => hex(n, 20));
  const filters = logFilters([{ signatures, addresses }]);
  for (const { address = [], topics } of filters)
    for (const list of [address, ...topics]) expect(list?.length ?? 0).toBeLessThanOrEqual(1_000);
  for (const signature of [signatures[0], signatures[1_099]] as string[])
    for (const address of [addresses[0], addresses[1_000], addresses[1_999]] as string[]) {
      const party = hex(Number(address), 32);
      const log = { index: 0, address: hex(9_999, 20) };
      expect(filters.filter((filter) => isFound({ ...log, address, topics: [signature] }, filter))).toHaveLength(1);
      expect(filters.filter((filter) => isFound({ ...log, topics: [signature, party] }, filter))).toHaveLength(1);
    }
});

describe("of how many blocks logs are asked for", () => {
  test("doubles until the node refuses, and is not tried again soon after that", () => {
    const range = new LogRange();
    const lengths: number[] = [];
    const most = 3_000;
    let refusals = 0;
    for (let call = 0; call < 2_000; call += 1) {
      const blocks = range.now();
      lengths.push(blocks);
      if (blocks > most) refusals += 1;
      if (blocks > most) range.refused(blocks, false);
      else range.accepted(blocks);
    }
    expect(lengths.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 2_000]);
    expect(refusals).toBeLessThan(12);
    const unlimited = new LogRange();
    for (let call = 0; call < 9; call += 1) unlimited.accepted(unlimited.now());
    expect(unlimited.now()).toBe(10_000);
  });

  test("comes back from what was refused once", () => {
    const range = new LogRange();
    for (let call = 0; call < 10; call += 1) range.refused(range.now(), false);
    expect(range.now()).toBe(1);
    for (let call = 0; call < 200; call += 1) range.accepted(range.now());
    expect(range.now()).toBe(10_000);
  });
});

describe("a node", () => {
  let stub: RpcProxy;
  let over: AbortController;
  beforeEach(async () => {
    stub = await startRpcProxy();
    over = new AbortController();
  });
  afterEach(async () => {
    over.abort();
    await stub.close();
  });
  const signature = `0x${"a1".repeat(32)}`;
  const interest = [{ signatures: [signature], addresses: undefined }];
  const hashOf = (block: number) => `0x${block.toString(16).padStart(64, "0")}`;
  const headerOf = ({ params: [number] }: RpcCall): RpcAnswer => ({
    result: { number, hash: hashOf(Number(number)), parentHash: hashOf(Number(number) - 1), transactions: [] },
  });
  const isLogs = ({ method }: RpcCall) => method === "eth_getLogs";
  const rangeOf = ({ params: [filter] }: RpcCall) => {
    const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
    return { from: Number(fromBlock), to: Number(toBlock) };
  };
  const emitted = (block: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ address: `0x${"c3".repeat(20)}`, topics: [signature], data: "0x", removed: false },
      ...{ blockNumber: `0x${block.toString(16)}`, blockHash: hashOf(block), logIndex: `0x${index.toString(16)}` },
      transactionHash: hashOf(block),
    }));
  const range = { from: 1, to: 900, lane: 1, interest };
  const connected = () => connectNode(stub.url, { signal: over.signal, alone: false });
  const find = (answer: (call: RpcCall) => RpcAnswer) => {
    stub.answer = (call) => (isLogs(call) ? answer(call) : headerOf(call));
    return fetchHits(connected(), range);
  };
  const asked = () => stub.calls.filter(isLogs).map((call) => rangeOf(call).to);

  test.each<RpcAnswer>([
    { error: { code: -32005, message: "limit exceeded" } },
    { error: { code: -32602, message: "eth_getLogs is limited to a 10,000 range" } },
    { error: { code: -32000, message: "query returned more than 10000 results" } },
    { status: 413, text: "" },
    { status: 200, text: "<html>" },
    "cut",
  ])("that refuses each range with %j is asked for halves of it, down to a single block", async (answer) => {
    await expect(find(() => answer)).rejects.toThrow(NoLogsError);
    expect(asked()).toEqual([900, 450, 225, 112, 56, 28, 14, 7, 3, 1]);
  });

  test("that does not answer for logs in time, and for headers does, is asked for less, and then not waited for", async () => {
    const tos: number[] = [];
    const node: Node = {
      ...{ origin: "a node", cancel: () => undefined, refused: new RefusedMethods(), logRanges: new LogRanges() },
      async request<T>(method: string, params: readonly unknown[]) {
        const call = { method, params: [...params] };
        if (!isLogs(call)) return (headerOf(call) as { result: T }).result;
        tos.push(rangeOf(call).to);
        throw new NodeError("no response in time", { method, origin: "a node", unanswered: "timed out" });
      },
    };
    await expect(fetchHits(node, range)).rejects.toThrow(NoLogsError);
    expect(tos).toEqual([900, 112, 14, 1]);
  });

  test.each<[RpcAnswer, object]>([
    [{ status: 429, text: "" }, { throttled: true }],
    [{ error: { code: -32005, message: "too many requests" } }, { throttled: true }],
  ])("that wants fewer calls, as by %j, is asked for no less", async (answer, error) => {
    await expect(find(() => answer)).rejects.toMatchObject(error);
    expect(new Set(asked())).toEqual(new Set([900]));
  });

  test("that goes away is asked for no less", async () => {
    const answers = find(() => {
      stub.answer = () => "cut";
      return "cut";
    });
    await expect(answers).rejects.toMatchObject({ about: { unreached: true } });
    expect(new Set(asked())).toEqual(new Set([900]));
  });

  test("that returns a round number of logs may leave out the rest, so it is asked for less", async () => {
    const most = 2_000;
    const found = await find((call) => {
      const { from, to } = rangeOf(call);
      const logs = Array.from({ length: to - from + 1 }, (_, index) => emitted(from + index, 11)).flat();
      return { result: logs.slice(0, most) };
    });
    expect(found.blocks.map(({ number }) => number)).toEqual(Array.from({ length: found.to }, (_, index) => index + 1));
    expect(asked()).toEqual([900, 450, 225, 112]);
    // A single block can have so many.
    stub.answer = (call) => (isLogs(call) ? { result: emitted(1, 1_000) } : headerOf(call));
    expect((await fetchHits(connected(), { ...range, to: 1 })).blocks).toHaveLength(1);
  });

  test("that gets the blocks only while it is asked has not looked through them", async () => {
    let head = 899;
    stub.answer = (call) => {
      if (!isLogs(call)) return Number(call.params[0]) > head ? { result: null } : headerOf(call);
      head = 900;
      return { result: [] };
    };
    await expect(fetchHits(connected(), range)).rejects.toThrow(/has no block 900/);
  });

  test("is asked for large ranges for one lane while it refuses them to another", async () => {
    const node = connected();
    stub.answer = (call) => (isLogs(call) ? { status: 413, text: "" } : headerOf(call));
    await expect(fetchHits(node, range)).rejects.toThrow(NoLogsError);
    stub.calls.length = 0;
    stub.answer = (call) => (isLogs(call) ? { result: [] } : headerOf(call));
    expect(await fetchHits(node, { ...range, lane: 2 })).toMatchObject({ to: 900, blocks: [] });
    expect(await fetchHits(node, range)).toMatchObject({ to: 1 });
  });
});
