/** Reads from the node itself, after all is over, who should have been notified of what: without any code of the service. */
import type { LocalChain } from "../chain/local-chain.ts";

/** Of which transactions a webhook must be notified. */
export type Wanted = { party: string } | { emitter: string; topic0: string } | { topic0: string; topic2: string };

/** A transaction on the chain, and the data of its logs. */
export type Happened = { blockNumber: number; blockHash: string; hash: string; data: string[] };

type Block = { number: string; hash: string; transactions: { hash: string; from: string; to: string | null }[] };
type Log = { transactionHash: string; address: string; topics: string[]; data: string };

/** @returns the transactions from block `from` on, in the order of the chain */
export async function happenedOn(chain: LocalChain, wanted: Wanted, from: number): Promise<Happened[]> {
  const found: Happened[] = [];
  const { number: last } = await chain.head();
  for (let number = from; number <= last; number += 1) {
    const block = await chain.rpc<Block>("eth_getBlockByNumber", [`0x${number.toString(16)}`, true]);
    const logs = await chain.rpc<Log[]>("eth_getLogs", [{ blockHash: block.hash }]);
    for (const { hash, from: sender, to } of block.transactions) {
      const own = logs.filter(({ transactionHash }) => transactionHash === hash);
      const hit = isParty(wanted, sender, to) || own.some((log) => isWanted(log, wanted));
      if (hit) found.push({ blockNumber: number, blockHash: block.hash, hash, data: own.map(({ data }) => data) });
    }
  }
  return found;
}

function isParty(wanted: Wanted, sender: string, receiver: string | null): boolean {
  return "party" in wanted && [sender, receiver].some((one) => one?.toLowerCase() === wanted.party);
}

function isWanted({ address, topics }: Log, wanted: Wanted): boolean {
  if ("party" in wanted) {
    const padded = `0x${wanted.party.slice(2).padStart(64, "0")}`;
    return address.toLowerCase() === wanted.party || topics.slice(1).includes(padded);
  }
  if (topics[0] !== wanted.topic0) return false;
  return "emitter" in wanted ? address.toLowerCase() === wanted.emitter : topics[2] === wanted.topic2;
}
