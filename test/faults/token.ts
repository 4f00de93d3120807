/** A token on a private chain whose transfers anybody can send, of nothing, so that they emit logs on any branch. */
import { encodeFunctionData, type Hex } from "viem";
import { openWallet } from "../../scripts/local/wallet.ts";
import { openChain } from "../chain/local-chain.ts";
import type { Dice } from "./faults.ts";

/** A transaction in a block of a new branch: which, and in how manieth block. */
export type Move = { to: string; data?: Hex; at: number };

/** The token. */
export type Token = {
  address: string;
  /** Transfers nothing to an address, in a block of its own. */
  move(to: string): Promise<void>;
  /** What happens on a new branch of some blocks. */
  movesFor(depth: number, to: { receiver: string; holder: string }, dice: Dice): Move[];
};

/** Deploys it. */
export async function openToken(rpcUrl: string): Promise<Token> {
  const chain = await openChain(rpcUrl);
  const deployer = await openWallet(rpcUrl, 9);
  const contract = await deployer.deploy("ERC20PresetMinterPauser", ["Test", "TST"]);
  const address = contract.address.toLowerCase();
  const dataOf = (to: string) => encodeFunctionData({ abi: contract.abi, functionName: "transfer", args: [to, 0n] });
  const [, , , , , , , , sender] = await chain.rpc<string[]>("eth_accounts");
  return {
    address,
    async move(to) {
      const hash = await chain.rpc("eth_sendTransaction", [
        { from: sender, to: address, data: dataOf(to), gas: "0x186a0" },
      ]);
      while (!(await chain.rpc("eth_getTransactionReceipt", [hash])))
        await new Promise((resolve) => setTimeout(resolve, 2));
    },
    movesFor(depth, { receiver, holder }, dice) {
      return Array.from({ length: Math.min(depth, 4) }, (_, index) => {
        const at = dice(depth);
        return index % 2 === 0 ? { to: receiver, at } : { to: address, data: dataOf(holder), at };
      });
    },
  };
}
