/** Blocks in which two factories create contracts, which are then active: what each has follows from its hash. And who must be notified of what. */
import { createHash } from "node:crypto";
import type { NewWebhook } from "../../server/matching/new-webhook.ts";
import type { BlockBundle, Hex, WireLog } from "../../server/matching/wire.ts";
import { addressOf, frame, hashOf, type MadeTransaction, madeBundle, padded } from "../matching/made-bundle.ts";
import type { Block } from "./one-transaction.ts";

export const factories = [addressOf(0xf1), addressOf(0xf2)] as const;
export const [createdTopic, otherTopic] = [hashOf(1, "e"), hashOf(2, "e")];
const zero: Hex = `0x${"0".repeat(40)}`;
const contracts = [1, 2, 3, 4, 5].map(addressOf);

/** The first factory names a contract in a topic, the second in its data. */
export const createdBy = [
  { address: factories[0], eventSignature: createdTopic, argument: "topic1" },
  { address: factories[1], eventSignature: createdTopic, argument: "data1" },
] as const;

export function factoryBundle(block: Block, traced: boolean): BlockBundle {
  const bytes = createHash("sha256").update(`of ${block.hash}`).digest();
  let at = 0;
  const next = (below: number) => (bytes[at++ % bytes.length] ?? 0) % below;
  const one = () => contracts[next(contracts.length)] ?? zero;
  const log = () => {
    const which = next(6);
    if (which === 0) return { address: factories[0], topics: [createdTopic, padded(next(5) === 0 ? zero : one())] };
    if (which === 1)
      return {
        address: factories[1],
        topics: [createdTopic],
        data: `0x${"1".repeat(64)}${padded(one()).slice(2)}` as Hex,
      };
    return which === 2
      ? { address: addressOf(0xee), topics: [otherTopic, padded(one())] }
      : { address: one(), topics: [[createdTopic, otherTopic][next(2)] ?? otherTopic] };
  };
  const transactions = Array.from({ length: next(4) }, (): MadeTransaction => {
    const to = next(4) === 0 ? one() : addressOf(0xdd);
    const logs = Array.from({ length: next(5) }, log);
    return { to, logs, status: next(8) === 0 ? "0x0" : "0x1", ...(traced && { trace: frame(addressOf(0xfe), to) }) };
  });
  const { block: made, receipts, traces } = madeBundle(...transactions);
  const renewed = (index: number): Hex => `0x${createHash("sha256").update(`${block.hash} ${index}`).digest("hex")}`;
  return {
    block: {
      ...made,
      ...{ hash: block.hash, parentHash: block.parentHash, number: `0x${block.number.toString(16)}` as Hex },
      transactions: made.transactions.map((transaction, index) => ({ ...transaction, hash: renewed(index) })),
    },
    receipts: receipts.map((receipt, index) => ({
      ...receipt,
      blockHash: block.hash,
      transactionHash: renewed(index),
    })),
    ...(traced && { traces: traces ?? [] }),
  };
}

export type FactoryWatch = Pick<NewWebhook, "addresses" | "eventSignatures"> & {
  createdBy: (typeof createdBy)[number];
};

/** Stated as plainly as it reads: what a webhook that exists from a block on is notified of, and watches in the end. */
export function expectedOf(
  chain: readonly Block[],
  { addresses, eventSignatures, createdBy: factory }: FactoryWatch,
  from: number,
): { hashes: string[]; watched: string[] } {
  const watched = new Set(addresses);
  const hashes: string[] = [];
  for (const block of chain.filter(({ number }) => number >= from)) {
    const bundle = factoryBundle(block, false);
    for (const [index, { to, hash }] of bundle.block.transactions.entries()) {
      const receipt = bundle.receipts[index];
      const before = new Set(watched);
      let isMatch = eventSignatures.length === 0 && watched.has(to ?? zero);
      for (const log of receipt?.status === "0x0" ? [] : (receipt?.logs ?? [])) {
        const isWanted = eventSignatures.length === 0 || eventSignatures.includes(log.topics[0] ?? "");
        const parties = [log.address, ...log.topics.slice(1).map((topic) => `0x${topic.slice(26)}`)];
        // What was watched before the transaction counts anywhere in it, what it created only in later logs: both are in `watched` by now.
        if (isWanted && parties.some((one) => watched.has(one) || before.has(one))) isMatch = true;
        const created = createdIn(log, factory);
        if (created !== undefined) watched.add(created);
      }
      if (isMatch) hashes.push(hash);
    }
  }
  return { hashes, watched: [...watched].sort() };
}

function createdIn({ address, topics, data }: WireLog, factory: FactoryWatch["createdBy"]): string | undefined {
  if (address !== factory.address || topics[0] !== factory.eventSignature) return undefined;
  const word = factory.argument === "topic1" ? topics[1] : data.slice(66, 130);
  const created = `0x${word?.slice(-40)}`;
  return created === zero ? undefined : created;
}
