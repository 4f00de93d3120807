/** Makes a private chain do what a test needs: transfers, empty blocks, branches; and reports what is really on it. */
import { setTimeout as sleep } from "node:timers/promises";

/** A block's place on the chain. */
export type Place = { number: number; hash: string };
/** A transaction that was mined. */
export type Mined = { hash: string; blockNumber: number; blockHash: string };

export type LocalChain = {
  rpc<T>(method: string, params?: unknown[]): Promise<T>;
  head(): Promise<Place>;
  /** Mines empty blocks. */
  mine(count?: number): Promise<void>;
  /** Sends 1 wei, in a block of its own. */
  transfer(to: string): Promise<Mined>;
  /** As many transfers, each in a block of its own. */
  transfers(to: string, count: number): Promise<void>;
  /** Replaces the newest blocks by as many others, with transfers in those that are listed, from 0. */
  reorg(depth: number, transfers?: readonly { to: string; at: number; data?: string }[]): Promise<void>;
  /** Every transaction that is on the chain now by the address it went to, found by looking through its blocks. @param from the first, default 0 */
  transactionsByReceiver(from?: number): Promise<Map<string, Mined[]>>;
  /** Those to one address. */
  transactionsTo(address: string): Promise<Mined[]>;
};

type Block = { number: string; hash: string; transactions: { hash: string; to: string | null }[] };

/** @param rpcUrl of an anvil that mines immediately */
export async function openChain(rpcUrl: string): Promise<LocalChain> {
  const [sender, ...others] = await rpc<string[]>("eth_accounts");

  async function rpc<T>(method: string, params: unknown[] = []): Promise<T> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async function transfer(to: string): Promise<Mined> {
    const hash = await rpc<string>("eth_sendTransaction", [{ from: sender, to, value: "0x1" }]);
    for (;;) {
      const receipt = await rpc<{ blockNumber: string; blockHash: string } | null>("eth_getTransactionReceipt", [hash]);
      if (receipt) return { hash, blockNumber: Number(receipt.blockNumber), blockHash: receipt.blockHash };
      await sleep(2);
    }
  }

  async function transactionsByReceiver(from = 0): Promise<Map<string, Mined[]>> {
    const found = new Map<string, Mined[]>();
    const last = Number(await rpc<string>("eth_blockNumber"));
    for (let number = from; number <= last; number += 1) {
      const block = await rpc<Block>("eth_getBlockByNumber", [`0x${number.toString(16)}`, true]);
      for (const { hash, to } of block.transactions) {
        const mined = { hash, blockNumber: number, blockHash: block.hash };
        if (to) found.set(to.toLowerCase(), [...(found.get(to.toLowerCase()) ?? []), mined]);
      }
    }
    return found;
  }

  return {
    rpc,
    transfer,
    async transfers(to, count) {
      for (let sent = 0; sent < count; sent += 1) await transfer(to);
    },
    async reorg(depth, transfers = []) {
      // Each from another account, since their nonces would depend on their order.
      const pairs = transfers.map(({ to, at, data }, index) => [
        { from: others[index], to, ...(data ? { data, gas: "0x186a0" } : { value: "0x1" }) },
        at,
      ]);
      await rpc("anvil_reorg", [depth, pairs]);
    },
    transactionsByReceiver,
    transactionsTo: async (address) => (await transactionsByReceiver()).get(address.toLowerCase()) ?? [],
    async head() {
      const { number, hash } = await rpc<Block>("eth_getBlockByNumber", ["latest", false]);
      return { number: Number(number), hash };
    },
    mine: (count = 1) => rpc("anvil_mine", [`0x${count.toString(16)}`]),
  };
}

/**
 * A contract that emits a log with what it is called with: topic0, and topic1. PUSH1 32, CALLDATALOAD, PUSH1 0, CALLDATALOAD, PUSH1 0, PUSH1 0,
 * LOG2, STOP.
 */
export const loggerCode = "0x60203560003560006000a200";

let next = 0x5000;
/** An address that no other test uses. */
export function freshAddress(): string {
  next += 1;
  return `0x${next.toString(16).padStart(40, "0")}`;
}
