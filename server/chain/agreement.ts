/** What the other nodes of a chain say: whether they have a block that one of them has, and whether they are ahead of it. */
import type { BlockId } from "../store/chain-cursor.ts";
import { fetchBlockHash, fetchHead } from "./fetch.ts";
import type { Node } from "./node.ts";

/**
 * Whether a block that contradicts what was recorded is to be believed: more nodes have it, the one that told of it among them,
 * than have another in its place. Those that cannot say do not count.
 */
export async function isAgreedOn({ number, hash }: BlockId, others: readonly Node[]): Promise<boolean> {
  const said = await Promise.all(others.map((node) => fetchBlockHash(node, number).catch(() => undefined)));
  const against = said.filter((other) => other !== undefined && other !== hash).length;
  const inFavour = 1 + said.filter((other) => other === hash).length;
  return inFavour > against;
}

/** Whether one of the nodes has a head above that block. */
export async function isAhead({ number }: BlockId, others: readonly Node[]): Promise<boolean> {
  const heads = await Promise.all(others.map((node) => fetchHead(node, "latest").catch(() => undefined)));
  return heads.some((head) => head !== undefined && head.number > number);
}
