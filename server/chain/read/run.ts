/** Fetches runs of consecutive blocks and checks each. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogInterest } from "../../matching/new-webhook.ts";
import type { BlockBundle, Hex, WireBlock } from "../../matching/wire.ts";
import type { Rules } from "../../settings/chain-profiles.ts";
import { acceptBundle, BlockRefusedError } from "../check/accept.ts";
import { checkHeaderHash, checkParent, hashOfHeader, provesBloom } from "../check/header.ts";
import { type Node, NodeError, NoLogsError } from "../nodes/node.ts";
import { passedBlock, type ReadBlock, readBlock } from "./block.ts";
import {
  fetchBlock,
  fetchHeaderAt,
  fetchReceiptsAndTraces,
  headOf,
  type NewestHead,
  type ReceiptsAndTraces,
  receiptsMethod,
} from "./fetch.ts";
import { digestIn, type LogHits, logTest } from "./logs.ts";
import type { PackedRun } from "./messages.ts";
import { unpackBlock } from "./packed-block.ts";
import type { OnSkippedCheck } from "./reader.ts";
import { heaviestRun, longestRun, weightOf } from "./run-length.ts";

/** `performance.now()` differs between threads. */
const epochNow = () => performance.timeOrigin + performance.now();

/** What is needed to fetch and check the blocks of a chain. */
export type FetchContext = {
  chainId: string;
  rules: Rules;
  node: Node;
  traces: boolean;
  onSkippedCheck: OnSkippedCheck;
};

/**
 * @returns the blocks from `from` on, until one fails, is not the child of the one before, or makes the run too heavy; `to` is the last
 * @throws what the first block failed with
 */
export async function fetchRun(context: FetchContext, from: number, to: number): Promise<ReadBlock[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  let weightOfRun = 0;
  // A block without room is dropped immediately. The next run, which is shorter, fetches it again.
  const hasRoom = (weight: number, number: number) => {
    weightOfRun += weight;
    return weightOfRun <= heaviestRun || number === from;
  };
  const results = await Promise.allSettled(
    numbers.map(async (number) => {
      const requestedAt = epochNow();
      const block = await fetchBlock(context.node, number);
      const weight = block ? weightOf({ block, receipts: [] }) : 0;
      if (!block || !hasRoom(weight, number)) return undefined;
      return completeBlock(context, {
        ...{ block, requestedAt },
        hasRoom: (bundle) => hasRoom(weightOf(bundle) - weight, number),
      });
    }),
  );
  // The chain may have changed meanwhile, or one of several nodes behind an address may lag.
  return linkedBlocks(results, () => undefined);
}

/**
 * Fetches the headers of a run, and those blocks whole that may have what is looked for.
 *
 * A header that its hash does not prove, such as one of a lying node or of a fork's first day, says nothing: its block is fetched whole, where the
 * checks decide.
 *
 * @param mayHold whether a block with this bloom may have what is looked for
 * @returns the blocks from `from` on, until one fails, is not the child of the one before, or too many are fetched whole
 * @throws what the first block failed with
 */
export async function fetchSparseRun(
  context: FetchContext,
  { from, to }: { from: number; to: number },
  mayHold: (bloom: Hex) => boolean,
): Promise<ReadBlock[]> {
  const { node, rules } = context;
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const headers = await Promise.allSettled(
    numbers.map(async (number) => {
      const header = await fetchHeaderAt(node, number);
      if (!header) return undefined;
      const isPassed = provesBloom(header, rules.kind) && !mayHold(header.logsBloom);
      // What is passed over needs none of its transactions' hashes.
      return isPassed ? passedBlock(header) : header.hash;
    }),
  );
  const fetched: Promise<ReadBlock | undefined>[] = [];
  let weightOfRun = 0;
  let whole = 0;
  for (const header of headers) {
    if (header.status === "rejected") fetched.push(Promise.reject(header.reason));
    if (header.status === "rejected" || header.value === undefined) break;
    if (typeof header.value !== "string") {
      fetched.push(Promise.resolve(header.value));
      continue;
    }
    if (whole === longestRun) break;
    const isFirst = whole === 0;
    whole += 1;
    fetched.push(
      fetchWhole(context, header.value, {
        hasRoom(weight) {
          weightOfRun += weight;
          return weightOfRun <= heaviestRun || isFirst;
        },
      }),
    );
  }
  return linkedBlocks(await Promise.allSettled(fetched), () => undefined);
}

/**
 * Fetches, of a range of blocks, those whole that a node's logs name, and the headers of the first and the last. So the range is linked to what is
 * recorded below, and what comes next is linked to it. Between them nothing is.
 *
 * @returns the blocks from `from` on, until one fails or too many are fetched whole; then the last of them ends the range
 * @throws NoLogsError if a block has not the very logs that are to be in it; what the first block failed with
 */
export async function fetchHitRun(
  context: FetchContext,
  { from, to, interest, hits }: { from: number; to: number; interest: LogInterest; hits: LogHits },
): Promise<ReadBlock[]> {
  const { node } = context;
  const found = hits.blocks.filter(({ number }) => number >= from && number <= to);
  const whole = found.slice(0, longestRun);
  const end = whole.length < found.length ? (whole.at(-1)?.number ?? to) : to;
  const canMatch = logTest(interest);
  let weightOfRun = 0;
  const items = new Map<number, () => Promise<ReadBlock | undefined>>();
  for (const number of [from, end]) items.set(number, () => fetchProven(context, number));
  for (const [index, { number, hash, digest }] of whole.entries())
    items.set(number, () =>
      fetchWhole(context, hash, {
        hasRoom(weight) {
          weightOfRun += weight;
          return weightOfRun <= heaviestRun || index === 0;
        },
        onAccepted(bundle) {
          const isPlace = Number(bundle.block.number) === number && (number !== hits.to || hash === hits.hash);
          if (isPlace && digestIn(bundle, canMatch) === digest) return;
          throw new NoLogsError(`block ${number} (${hash}) is not the one whose logs were returned`, node.origin);
        },
        missing: new NoLogsError(`returned logs of block ${hash}, which the node does not have`, node.origin),
      }),
    );
  const inOrder = [...items].sort(([one], [other]) => one - other);
  const [same, ...results] = await Promise.allSettled([
    assertSameChain(node, hits),
    ...inOrder.map(([, fetch]) => fetch()),
  ]);
  if (same.status === "rejected") throw same.reason;
  const run: ReadBlock[] = [];
  for (const result of results) {
    const last = run.at(-1);
    if (result.status === "rejected") {
      // The header of the first alone would be a step that hides what the next block fails with.
      if (!run.some(({ isPassed }) => !isPassed)) throw result.reason;
      break;
    }
    const block = result.value;
    if (!block) break;
    if (last && block.number === last.number + 1 && checkParent(block, last))
      throw new NoLogsError(`block ${block.number} (${block.hash}) does not follow on ${last.hash}`, node.origin);
    run.push(block);
  }
  return run;
}

/**
 * What was final when logs were returned may have been replaced all the same, such as where a node said so too early. A node still has the blocks of
 * those logs by their hashes. @throws NoLogsError if so
 */
async function assertSameChain(node: Node, { to, hash }: LogHits): Promise<void> {
  const block = await fetchHeaderAt(node, to);
  if (block && block.hash !== hash)
    throw new NoLogsError(`block ${to} is ${block.hash}, and was ${hash} for the logs`, node.origin);
}

/** Fetches the header of a block that is passed over. @returns undefined if the node lacks it */
async function fetchProven({ node, rules }: FetchContext, number: number): Promise<ReadBlock | undefined> {
  const block = await fetchHeaderAt(node, number);
  if (!block) return undefined;
  if (rules.checks.headerHash === "off") return passedBlock(block);
  const finding = checkHeaderHash({ block, receipts: [] }, rules.kind);
  if (finding && "refused" in finding)
    throw new BlockRefusedError([{ check: "headerHash", reason: finding.refused }], { block, node: node.origin });
  return { ...passedBlock(block), unprovenHeader: finding && hashOfHeader(block, rules.kind) };
}

/** Called with a block that has passed the checks. */
type OnAccepted = (bundle: BlockBundle) => void;

/** @param options.missing thrown if the node lacks the block @returns undefined if there is no room for it */
async function fetchWhole(
  context: FetchContext,
  hash: Hex,
  options: { hasRoom: (weight: number) => boolean; onAccepted?: OnAccepted; missing?: NodeError },
): Promise<ReadBlock | undefined> {
  const { hasRoom, onAccepted, missing = lacks(context.node, hash) } = options;
  const requestedAt = epochNow();
  const block = await fetchBlock(context.node, hash);
  if (!block) throw missing;
  return completeBlock(context, { block, requestedAt, hasRoom: (bundle) => hasRoom(weightOf(bundle)), onAccepted });
}

/**
 * @param hashes of consecutive blocks
 * @returns the blocks until one fails
 * @throws what the first block failed with, such as NodeError if the node lacks it; BlockRefusedError if they are not consecutive
 */
export async function fetchByHash(context: FetchContext, hashes: readonly Hex[]): Promise<ReadBlock[]> {
  const { node } = context;
  const results = await Promise.allSettled(hashes.map((hash) => fetchWhole(context, hash, { hasRoom: () => true })));
  return linkedBlocks(results, (reason, block) => {
    throw new BlockRefusedError([{ check: "parentHash", reason }], { block, node: node.origin });
  });
}

/**
 * Fetches a block together with its receipts and traces, which saves a round trip to the node.
 *
 * @throws NodeError if the node lacks it
 */
export async function fetchHeadBlock(context: FetchContext, head: NewestHead): Promise<ReadBlock[]> {
  const { node } = context;
  const requestedAt = epochNow();
  const [block, rest] = await Promise.all([fetchBlock(node, head.hash), fetchAlong(context, head)]);
  if (!block) throw lacks(node, head.hash);
  const whole = headOf(block);
  if (whole.number !== head.number)
    throw new NodeError(`block ${head.hash} has number ${whole.number}, and as its head ${head.number}`, {
      method: "eth_getBlockByHash",
      origin: node.origin,
    });
  // Which receipts and traces were fetched depends on the head's transactions.
  const isSame =
    head.transactionHashes === undefined || whole.transactionHashes.join() === head.transactionHashes.join();
  const bundle = { block, ...(isSame && rest ? rest : await fetchReceiptsAndTraces(node, whole, context)) };
  const times = { requestedAt, fetchedAt: epochNow() };
  return [await inTurn(() => acceptBlock(context, bundle, times))];
}

/** @returns undefined if the block's transactions must be known first */
async function fetchAlong(context: FetchContext, head: NewestHead): Promise<ReceiptsAndTraces | undefined> {
  const { node } = context;
  if (!head.transactionHashes && node.refused.has(receiptsMethod)) return undefined;
  try {
    return await fetchReceiptsAndTraces(node, head, context);
  } catch (error) {
    // Nodes differ in what they return for a block without transactions, and some return receipts only one by one.
    const isOfReceipts = error instanceof NodeError && error.about.method === receiptsMethod;
    if (!head.transactionHashes && isOfReceipts) return undefined;
    throw error;
  }
}

const lacks = ({ origin }: Node, hash: Hex) =>
  new NodeError(`no block ${hash}`, { method: "eth_getBlockByHash", origin });

/** The blocks before the first that failed or breaks the chain. @throws what the first block failed with */
function linkedBlocks(
  results: readonly PromiseSettledResult<ReadBlock | undefined>[],
  onBreak: (reason: string, block: ReadBlock) => void,
): ReadBlock[] {
  const run: ReadBlock[] = [];
  for (const result of results) {
    const last = run.at(-1);
    if (result.status === "rejected" && !last) throw result.reason;
    if (result.status === "rejected" || !result.value) break;
    const block = result.value;
    const finding = last && checkParent(block, last);
    if (finding && "refused" in finding) {
      onBreak(finding.refused, block);
      break;
    }
    run.push(block);
  }
  return run;
}

/** Fetches the rest of a block's bundle and checks it. */
async function completeBlock(
  context: FetchContext,
  fetched: {
    block: WireBlock;
    requestedAt: number;
    hasRoom: (bundle: BlockBundle) => boolean;
    onAccepted?: OnAccepted | undefined;
  },
): Promise<ReadBlock | undefined> {
  const { block, requestedAt, hasRoom, onAccepted } = fetched;
  const bundle = { block, ...(await fetchReceiptsAndTraces(context.node, headOf(block), context)) };
  const fetchedAt = epochNow();
  const more = { requestedAt, fetchedAt, onAccepted };
  return inTurn(() => (hasRoom(bundle) ? acceptBlock(context, bundle, more) : undefined));
}

/** @throws BlockRefusedError */
function acceptBlock(
  { chainId, rules, node, onSkippedCheck }: FetchContext,
  fetched: BlockBundle,
  { onAccepted, ...times }: { requestedAt: number; fetchedAt: number; onAccepted?: OnAccepted | undefined },
): ReadBlock {
  const { number, hash } = fetched.block;
  const { bundle, unprovenHeader, skipped } = acceptBundle(fetched, rules, node.origin);
  onAccepted?.(bundle);
  for (const check of skipped) onSkippedCheck(check, { number: Number(number), hash });
  return readBlock(bundle, chainId, { times: { ...times, checkedAt: epochNow() }, unprovenHeader });
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** A response may have several blocks. Each is checked in its own turn of the event loop, one after the other. */
async function inTurn<T>(work: () => T): Promise<T> {
  lastTurn = lastTurn.then(() => nextTurn());
  await lastTurn;
  return work();
}

/**
 * Reads packed blocks. Each passes the checks of a block that a node returns, but one: the root of its transactions takes 2.8 ms of 12 for a
 * block of 185, and the reader's digest covers them. Receipts are held against their root, so none can be missing, nor a log.
 *
 * @returns the blocks until one fails, is not the child of the one before, or makes the run too heavy
 * @throws what the first block failed with
 */
export function unpackRun(
  { chainId, rules, origin, onSkippedCheck }: Omit<FetchContext, "node" | "traces"> & { origin: string },
  { packed, traces, requestedAt, fetchedAt }: PackedRun,
): ReadBlock[] {
  const ofStream: Rules = { ...rules, checks: { ...rules.checks, transactionsRoot: "off" } };
  const read = (bytes: Uint8Array): ReadBlock => {
    const { bundle, skipped } = acceptBundle(unpackBlock(bytes, { traces }), ofStream, origin);
    const { number, hash } = bundle.block;
    for (const check of skipped) onSkippedCheck(check, { number: Number(number), hash });
    const times = { requestedAt, fetchedAt, checkedAt: performance.timeOrigin + performance.now() };
    // Whoever published a block with an unproven header has asked another node for it.
    return readBlock(bundle, chainId, { times });
  };
  const results: PromiseSettledResult<ReadBlock>[] = [];
  let weightOfRun = 0;
  for (const bytes of packed) {
    try {
      const block = read(bytes);
      weightOfRun += block.weight;
      // A small message may hold a large block. The next run, which is shorter, reads it again.
      if (weightOfRun > heaviestRun && results.length > 0) break;
      results.push({ status: "fulfilled", value: block });
    } catch (reason) {
      results.push({ status: "rejected", reason });
      break;
    }
  }
  return linkedBlocks(results, () => undefined);
}
