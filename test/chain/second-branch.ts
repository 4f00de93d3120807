/** A second node whose chain has the same first block, so that a proxy can go over from one branch to another and back. */
import { type EvmNodeOptions, startEvmNode } from "../../scripts/local/evm-node.ts";
import type { ChainWorld } from "./chain-world.ts";
import { freshAddress, type LocalChain, openChain } from "./local-chain.ts";

/** Nodes started so have the same first block. */
export const sameGenesis: EvmNodeOptions = { args: ["--timestamp", "1700000000"] };

export type Branch = {
  rpcUrl: string;
  chain: LocalChain;
  /** Mines a block that the first node cannot have. */
  diverge(): Promise<void>;
  stop(): Promise<void>;
};

/** @param world one whose node was started with `sameGenesis` */
export async function startBranch(world: ChainWorld): Promise<Branch> {
  const node = await startEvmNode(sameGenesis);
  const chain = await openChain(node.rpcUrl);
  const [ours, theirs] = await Promise.all(
    [world.chain, chain].map((one) => one.rpc<{ hash: string }>("eth_getBlockByNumber", ["0x0", false])),
  );
  if (ours?.hash !== theirs?.hash) throw new Error("the two chains do not begin with the same block");
  return {
    rpcUrl: node.rpcUrl,
    chain,
    diverge: async () => void (await chain.transfer(freshAddress())),
    stop: node.stop,
  };
}
