/** What the other nodes of a chain say: whether they have a block that one of them has, and whether they are ahead of it. */
import type { BlockId } from "../../store/chains/cursor.ts";
import { hashOfHeader } from "../check/header.ts";
import { profileOf } from "../check/profiles.ts";
import type { ChainConfig } from "../config.ts";
import { type Node, NotBelievedError } from "../nodes/node.ts";
import type { ReadBlock } from "../read/block.ts";
import { fetchBlockHash, fetchHead, fetchHeader } from "../read/fetch.ts";
import type { Witnesses } from "./node-pool.ts";

/** For how long those that cannot say are waited for: longer than most restarts and hitches take. */
export const silenceMs = 30_000;

/**
 * Whether a block that contradicts what was recorded is to be believed. It is when more nodes have it, the one that told of it
 * among them, than have another in its place, and no more of them are silent than could change that. Where those that cannot say
 * could outvote it, it is believed all the same when it has been seen for half a minute, since one node must be enough: until
 * then a node that lies is not believed only because the good ones are away for a moment.
 *
 * @param seenMs for how long the node has told of it
 * @returns undefined when it is too early to say
 */
export async function isAgreedOn(
  { number, hash }: BlockId,
  { ask, silent }: Witnesses,
  seenMs: number,
): Promise<boolean | undefined> {
  const said = await Promise.all(ask.map((node) => fetchBlockHash(node, number).catch(() => undefined)));
  const inFavour = 1 + said.filter((other) => other === hash).length;
  const against = said.filter((other) => other !== undefined && other !== hash).length;
  const unheard = silent + ask.length + 1 - inFavour - against;
  if (inFavour <= against) return false;
  return inFavour > against + unheard || seenMs >= silenceMs ? true : undefined;
}

/** Whether one of the nodes has a head above that block. @param on whether it must have that very block, too */
export async function isAhead(
  { number, hash }: BlockId,
  nodes: readonly Node[],
  { on }: { on: boolean },
): Promise<boolean> {
  const ahead = nodes.map(async (node) => {
    const [head, own] = await Promise.all([fetchHead(node, "latest"), on ? fetchBlockHash(node, number) : hash]);
    return head !== undefined && head.number > number && own === hash;
  });
  return (await Promise.all(ahead.map((each) => each.catch(() => false)))).some(Boolean);
}

// FROM server/chain/follow/lag.ts: /** Finds out that a node lags behind the others, which it does not tell by itself: it looks like a chain on which nothing happens. */
/** Watches one node at a time. */
export type LagWatch = {
  /** There was a new block. */
  moved(): void;
  /** There was none. @returns whether others are ahead of the cursor and this node is still not */
  stood(cursor: BlockId, node: Node, others: readonly Node[]): Promise<boolean>;
};

/** So much quiet is usual, in polls and at least in ms; after that the others are asked, ever more rarely. */
const quietPolls = 3;
const quietMs = 1_000;
/**
 * Others that have another block at the cursor are not ahead but of another opinion, and grow whether they are right or wrong.
 * A node that has not moved at all for so long is wrong more likely than they are.
 */
const disputeMs = 60_000;

/** @param now ms, of a clock that never goes back */
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
    async stood(cursor, node, others) {
      const quietForMs = now() - since;
      if (others.length === 0 || quietForMs < askAfterMs) return false;
      askAfterMs *= 2;
      const on = quietForMs < disputeMs;
      // In that order: a block that came in between must not be held against the node.
      const lags = (await isAhead(cursor, others, { on })) && !(await isAhead(cursor, [node], { on: false }));
      if (lags) moved();
      return lags;
    },
  };
}

// FROM server/chain/follow/confirm.ts: /** * Blocks whose header hash nobody can check, as on the day of a fork that adds to headers: where a chain has several nodes, one * more must return the same header before such a block is used. Its hash alone would prove nothing of what else the header says. */
type Unproven = Pick<ReadBlock, "number" | "hash" | "unprovenHeader">;

/**
 * @param blocks what the node returned
 * @param witnesses the chain's other nodes
 * @returns whether the blocks may be used; false where no other node can say yet
 * @throws NotBelievedError where another node has another header, and none has the same
 */
export async function areConfirmed(
  blocks: readonly Unproven[],
  { chain, node, witnesses }: { chain: ChainConfig; node: Node; witnesses: Witnesses },
): Promise<boolean> {
  const unproven = blocks.filter(({ unprovenHeader }) => unprovenHeader !== undefined);
  if (unproven.length === 0 || chain.rpcUrls.length < 2) return true;
  let contradicted: Unproven | undefined;
  for (const other of witnesses.ask) {
    const said = await Promise.all(unproven.map(({ hash }) => headerOf(other, chain, hash)));
    if (unproven.every(({ unprovenHeader }, index) => said[index] === unprovenHeader)) return true;
    contradicted ??= unproven.find(
      ({ unprovenHeader }, index) => said[index] !== undefined && said[index] !== unprovenHeader,
    );
  }
  if (!contradicted) return false;
  const { number, hash } = contradicted;
  throw new NotBelievedError(`the header of its block ${number} (${hash}) differs from that of another node`, {
    method: "eth_getBlockByNumber",
    origin: node.origin,
  });
}

/** @returns what the node's header of that hash hashes to; undefined where it cannot say */
async function headerOf(node: Node, { chainId }: ChainConfig, hash: ReadBlock["hash"]) {
  try {
    const block = await fetchHeader(node, hash);
    return block && hashOfHeader(block, profileOf(chainId).kind);
  } catch {
    return undefined;
  }
}
