/** What the other nodes of a chain say: whether they have a block that one of them has, and whether they are ahead of it. */
import type { BlockId } from "../../store/chains/cursor.ts";
import type { Node } from "../nodes/node.ts";
import type { Witnesses } from "../nodes/node-pool.ts";
import { fetchBlockHash, fetchHead } from "../read/fetch.ts";

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
