/** What a chain's other nodes say of one node: whether they have its block, its header, its logs, and whether they are ahead of it. */

import { profileOf } from "../../settings/chain-profiles.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import { hashOfHeader } from "../check/header.ts";
import { type Node, NodeError, NoLogsError, UntrustedNodeError } from "../nodes/node.ts";
import type { ReadBlock } from "../read/block.ts";
import { fetchBlockHash, fetchHead, fetchHeader } from "../read/fetch.ts";
import type { LogHits, LogRangeRequest } from "../read/logs.ts";
import type { NodeReader } from "../read/reader.ts";
import type { Witnesses } from "./node-pool.ts";

/** How long we wait for witnesses that do not respond: longer than most restarts and hitches take. */
export const silenceMs = 30_000;

/**
 * Whether to follow a node's block that contradicts what was recorded. We do if more nodes have it, this node included, than have another
 * block, and if the silent ones could not change that. If they could, we follow it after half a minute, since a single good node must be
 * enough. So a node that lies gains nothing from the good ones being away for a moment.
 *
 * @param seenMs for how long the node has returned the block
 * @returns undefined if it is too early to say
 */
export async function isAgreedOn(
  { number, hash }: BlockId,
  { ask, silent }: Witnesses,
  seenMs: number,
): Promise<boolean | undefined> {
  const hashes = await Promise.all(ask.map((node) => fetchBlockHash(node, number).catch(() => undefined)));
  const inFavour = 1 + hashes.filter((other) => other === hash).length;
  const against = hashes.filter((other) => other !== undefined && other !== hash).length;
  const abstained = silent + ask.length + 1 - inFavour - against;
  if (inFavour <= against) return false;
  return inFavour > against + abstained || seenMs >= silenceMs ? true : undefined;
}

type UnprovenBlock = Pick<ReadBlock, "number" | "hash" | "unprovenHeader">;

/**
 * Whether another node returns the same header for each block whose header hash no check could compute, as on the day of a fork that
 * adds to headers. The hash alone would prove nothing of what else the header says. A chain with a single node does without.
 *
 * @returns false if no other node can say yet
 * @throws UntrustedNodeError if another node has another header, and none has the same
 */
export async function areConfirmed(
  blocks: readonly UnprovenBlock[],
  { chain, node, witnesses }: { chain: ChainConfig; node: Node; witnesses: Witnesses },
): Promise<boolean> {
  const unproven = blocks.filter(({ unprovenHeader }) => unprovenHeader !== undefined);
  if (unproven.length === 0 || chain.rpcUrls.length < 2) return true;
  let contradicted: UnprovenBlock | undefined;
  for (const other of witnesses.ask) {
    const headers = await Promise.all(unproven.map(({ hash }) => headerHashAt(other, chain, hash)));
    if (unproven.every(({ unprovenHeader }, index) => headers[index] === unprovenHeader)) return true;
    contradicted ??= unproven.find(
      ({ unprovenHeader }, index) => headers[index] !== undefined && headers[index] !== unprovenHeader,
    );
  }
  if (!contradicted) return false;
  const { number, hash } = contradicted;
  throw new UntrustedNodeError(`the header of its block ${number} (${hash}) differs from that of another node`, {
    method: "eth_getBlockByNumber",
    origin: node.origin,
  });
}

/** @returns what the node's header of that hash hashes to, as far as we know its fields; undefined if it cannot say */
async function headerHashAt(node: Node, { chainId }: ChainConfig, hash: ReadBlock["hash"]) {
  try {
    const block = await fetchHeader(node, hash);
    return block && hashOfHeader(block, profileOf(chainId).kind);
  } catch {
    return undefined;
  }
}

/** The blocks whose logs can match, and how many nodes say the same of them. */
export type AgreedHits = LogHits & { nodesAgreed: number };

/** Logs that are not believed, so that blocks up to this one are read whole. */
export type DoubtedLogs = { upTo: number; reason: string; nodes: readonly string[]; isContradiction: boolean };

/** A node that is asked for logs. @property failed called if it did not respond @property succeeded called if it did */
export type LogWitness = { origin: string; reader: NodeReader; failed(error: unknown): void; succeeded(): void };

/** Without two nodes that return logs so many blocks are read whole, and then the nodes are asked again. */
const doubtedAtOnce = 1_000;

/**
 * Asks nodes for the logs of a range, or of as much of it as each allows. Where a chain has several nodes two must give the same: a node can leave logs
 * out, and nothing proves that it did.
 *
 * @param nodes the step's own first, then the others in their order
 * @param needed how many must agree
 * @throws NodeError if the step's own node does not respond
 */
export async function agreedHits(
  range: LogRangeRequest,
  nodes: readonly LogWitness[],
  needed: number,
): Promise<AgreedHits | DoubtedLogs> {
  const found: { origin: string; hits: LogHits }[] = [];
  const reasons: string[] = [];
  for (const [index, { origin, reader, failed, succeeded }] of nodes.entries()) {
    const known = found.at(-1)?.hits;
    try {
      found.push({ origin, hits: await reader.findHits({ ...range, to: known?.to ?? range.to }) });
      succeeded();
    } catch (error) {
      if (!(error instanceof NodeError) || (!(error instanceof NoLogsError) && index === 0)) throw error;
      if (!(error instanceof NoLogsError)) failed(error);
      reasons.push(error.message);
    }
    if (found.length === needed) break;
  }
  const [one, other] = found;
  const origins = found.map(({ origin }) => origin);
  if (!one || found.length < needed) {
    const reason = reasons.join("; ") || "no other node is there";
    return { upTo: range.from + doubtedAtOnce - 1, reason, nodes: origins, isContradiction: false };
  }
  const { hits } = other ?? one;
  const difference = other && differenceOf(one.hits, hits);
  if (difference) return { upTo: hits.to, reason: difference, nodes: origins, isContradiction: true };
  return { ...firstOf(hits), nodesAgreed: found.length };
}

/** So many blocks of a range are remembered until the lane has come to them. There may be thousands of lanes. */
const mostHits = 256;

function firstOf(hits: LogHits): LogHits {
  const blocks = hits.blocks.slice(0, mostHits);
  const last = blocks.at(-1);
  return last && blocks.length < hits.blocks.length ? { to: last.number, hash: last.hash, blocks } : hits;
}

/** @param two of a range that is as long or shorter @returns in what they differ */
function differenceOf(one: LogHits, two: LogHits): string | undefined {
  if (one.to === two.to && one.hash !== two.hash) return `block ${two.to} is ${one.hash} or ${two.hash}`;
  const within = one.blocks.filter(({ number }) => number <= two.to);
  const textOf = (block: LogHits["blocks"][number] | undefined) =>
    block && `${block.number} ${block.hash} ${block.digest}`;
  for (let at = 0; at < Math.max(within.length, two.blocks.length); at += 1)
    if (textOf(within[at]) !== textOf(two.blocks[at])) {
      const numbers = [within[at], two.blocks[at]].flatMap((block) => block?.number ?? []);
      return `the logs of block ${Math.min(...numbers)} differ`;
    }
  return undefined;
}

/** Detects that a node lags, which by itself looks like a chain on which nothing happens. Watches one node at a time. */
export type LagWatch = {
  /** There was a new block. */
  moved(): void;
  /** There was no new block. @returns whether other nodes are ahead of the cursor and this one still is not */
  isBehind(cursor: BlockId, node: Node, others: readonly Node[]): Promise<boolean>;
};

/** This much quiet is usual, in polls and at least in ms. After that we ask the others, each time after twice as long. */
const quietPolls = 3;
const quietMs = 1_000;
/**
 * Others with another block at the cursor are on another branch, which grows whether they are right or wrong. But a node that has not moved
 * at all for so long is more likely to be wrong than they are.
 */
const disputeMs = 60_000;

/** @param now a monotonic clock, in ms */
export function watchLag(pollMs: number, now: () => number = () => performance.now()): LagWatch {
  const patienceMs = Math.max(quietMs, quietPolls * pollMs);
  let since = now();
  let askAfterMs = patienceMs;
  const moved = () => {
    since = now();
    askAfterMs = patienceMs;
  };
  return {
    moved,
    async isBehind(cursor, node, others) {
      const quietForMs = now() - since;
      if (others.length === 0 || quietForMs < askAfterMs) return false;
      askAfterMs *= 2;
      const sameBranch = quietForMs < disputeMs;
      // In this order: a block that arrives in between must not count against the node.
      const lags =
        (await isAnyAhead(cursor, others, { sameBranch })) &&
        !(await isAnyAhead(cursor, [node], { sameBranch: false }));
      if (lags) moved();
      return lags;
    },
  };
}

/** Whether a node's head is above the block. @param options.sameBranch whether it must also have that very block */
async function isAnyAhead(
  { number, hash }: BlockId,
  nodes: readonly Node[],
  { sameBranch }: { sameBranch: boolean },
): Promise<boolean> {
  const ahead = nodes.map(async (node) => {
    const [head, own] = await Promise.all([
      fetchHead(node, "latest"),
      sameBranch ? fetchBlockHash(node, number) : hash,
    ]);
    return head !== undefined && head.number > number && own === hash;
  });
  return (await Promise.all(ahead.map((each) => each.catch(() => false)))).some(Boolean);
}
