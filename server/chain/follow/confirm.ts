/**
 * Blocks whose header hash nobody can check, as on the day of a fork that adds to headers: where a chain has several nodes, one
 * more must return the same header before such a block is used. Its hash alone would prove nothing of what else the header says.
 */
import { hashOfHeader } from "../check/header-hash.ts";
import { profileOf } from "../check/profiles.ts";
import type { ChainConfig } from "../config.ts";
import type { Node } from "../nodes/node.ts";
import type { Witnesses } from "../nodes/node-pool.ts";
import { NotBelievedError } from "../nodes/untrusted-node.ts";
import type { ReadBlock } from "../read/block.ts";
import { fetchHeader } from "../read/fetch.ts";

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
