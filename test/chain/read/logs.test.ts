/** What nodes are asked for finds each log that can match, and what is looked for in the answers is exactly that. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { recordedBlocks } from "../../../scripts/local/recorded.ts";
import { connectNode, NoLogsError } from "../../../server/chain/nodes/node.ts";
import { LogRange } from "../../../server/chain/nodes/node-limits.ts";
import { fetchHits, type LogFilter, logFilters, logTest } from "../../../server/chain/read/logs.ts";
import { hasFailed } from "../../../server/matching/bundle.ts";
import type { LogInterest } from "../../../server/matching/new-webhook.ts";
import { participantsOf } from "../../../server/matching/participants.ts";
import type { BlockBundle, Hex } from "../../../server/matching/wire.ts";
import { arbitraryBundle, arbitraryWebhooks, webhooksWatching } from "../../matching/arbitrary-bundle.ts";
import { type NaiveWebhook, naiveMatches } from "../../matching/naive.ts";
import { type RpcAnswer, type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";
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
  const interest = [{ signatures: [`0x${"a1".repeat(32)}`], addresses: undefined }];
  const find = (answer: RpcAnswer) => {
    stub.answer = () => answer;
    return fetchHits(connectNode(stub.url, { signal: over.signal, alone: false }), { from: 1, to: 900 }, interest);
  };
  const asked = () => stub.calls.map(({ params: [filter] }) => Number((filter as { toBlock: string }).toBlock));

  test.each<RpcAnswer>([
    { error: { code: -32005, message: "limit exceeded" } },
    { error: { code: -32602, message: "eth_getLogs is limited to a 10,000 range" } },
    { error: { code: -32000, message: "query returned more than 10000 results" } },
    { status: 413, text: "" },
    { status: 200, text: "<html>" },
  ])("that refuses each range with %j is asked for halves of it, down to a single block", async (answer) => {
    await expect(find(answer)).rejects.toThrow(NoLogsError);
    expect(asked()).toEqual([900, 450, 225, 112, 56, 28, 14, 7, 3, 1]);
  });

  test.each<[RpcAnswer, object]>([
    ["cut", { about: { unreached: true } }],
    [{ status: 429, text: "" }, { throttled: true }],
    [{ error: { code: -32005, message: "too many requests" } }, { throttled: true }],
  ])("that is away or wants fewer calls, as by %j, is asked for no less", async (answer, error) => {
    await expect(find(answer)).rejects.toMatchObject(error);
    expect(new Set(asked())).toEqual(new Set([900]));
  });
});
