/** Gives tests what public chains answered elsewhere than on mainnet, see test/data/README.md. Each call reads it again. */
import { readFileSync } from "node:fs";
import type { WireBlock, WireTransaction } from "../../server/matching/wire.ts";

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../data/public/${name}.json`, import.meta.url), "utf8")) as T;

/** Blocks with their transactions, without receipts. */
export const publicBlocks = () => [
  { chainId: "43114", name: "C-Chain block 5760288", block: read<WireBlock>("avalanche-5760288.block") },
  { chainId: "10", name: "OP stack block 274", block: read<WireBlock>("op-stack-274.block") },
];

/** A block with a state-sync transaction and nothing else, which its roots leave out. */
export const polygonBlock = () => read<WireBlock>("polygon-44765008.block");

/** A block whose transactions are not there. */
export const arbitrumHeader = () => read<WireBlock>("arbitrum-96223596.header");

/** A block of Gnosis whose transactions are not there. */
export const gnosisHeader = () => read<WireBlock>("gnosis-35000000.header");

/** A message from Scroll's parent chain. */
export const scrollMessage = () => read<WireTransaction>("scroll-e7991.message");

/** Transactions that the chains made themselves. */
export const systemTransactions = () => [
  { name: "Base's deposit", transaction: read<WireTransaction>("base-26293517.deposit") },
  { name: "Scroll's message", transaction: scrollMessage() },
  { name: "Arbitrum's internal transaction", transaction: read<WireTransaction>("arbitrum-408889830.internal") },
];
