/** The head that a node announces by its socket. It only says what to ask for: nothing of it is believed. */
import { quantityIn } from "../../matching/quantities.ts";
import type { Hex } from "../../matching/wire.ts";

/** `transactionHashes` is there if the block has none. */
export type AnnouncedHead = { number: number; hash: Hex; parentHash: Hex; transactionHashes?: readonly Hex[] };

/** The root of no transactions. */
const emptyRoot = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

/** @returns undefined for what is not a head */
export function announcedHead(result: unknown): AnnouncedHead | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  const { number, hash, parentHash, transactionsRoot } = result as Record<string, unknown>;
  const [own, parent] = [hashOf(hash), hashOf(parentHash)];
  const read = quantityIn(number);
  if (!own || !parent || read === undefined || read.length > 15) return undefined;
  const isEmpty = transactionsRoot === emptyRoot;
  return { number: Number(read), hash: own, parentHash: parent, ...(isEmpty && { transactionHashes: [] }) };
}

const hashOf = (value: unknown) =>
  typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value) ? (value.toLowerCase() as Hex) : undefined;
