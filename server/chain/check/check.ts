/** What a check is: a pure function that looks at a block bundle before anything of it is used. */
import type { BlockBundle, Hex } from "../../matching/wire.ts";

/** The checks in the order in which they run: the cheap and telling ones first. */
export const checkNames = [
  "parentHash",
  "receipts",
  "logIndex",
  "bloom",
  "transactionsRoot",
  "receiptsRoot",
  "headerHash",
  "traces",
  "traceGas",
] as const;
export type CheckName = (typeof checkNames)[number];

/** Which checks a chain's blocks must pass. */
export type Checks = Readonly<Record<CheckName, "on" | "off">>;

/**
 * The kinds of chains that hash blocks differently or have transactions of their own. An `unknown` chain may be of any of the first
 * three. The kind follows from the chain's identifier, never from a node's response: no field that a node adds may turn a check off.
 */
export type ChainKind = "ethereum" | "avalanche" | "polygon" | "zksync" | "unknown";

/** Which checks apply to a chain, and how. */
export type Rules = { checks: Checks; kind: ChainKind };

/**
 * What a check found: a contradiction, or that it cannot decide. A check returns nothing for a block that passes. Configuration
 * cannot turn off what is `required`.
 */
export type Finding = { refused: string; required?: true } | { skipped: string };

export type Check = (bundle: BlockBundle, kind: ChainKind) => Finding | undefined;

/** A check that a block was accepted without. */
export type SkippedCheck = { check: CheckName; reason: string };

/** A check that failed. Configuration cannot turn off what is `required`. */
export type FailedCheck = { check: CheckName; reason: string; required?: true };

/** @param reason goes on from the block's name, such as `has 3 transactions and 2 receipts` */
export const refuse = (reason: string): Finding => ({ refused: reason });

/** @param hashes one for each of `what` @returns a finding that no configuration turns off, if one is there twice */
export function refuseRepeated(what: string, hashes: readonly string[]): Finding | undefined {
  const seen = new Set<string>();
  for (const hash of hashes.map((hash) => hash.toLowerCase())) {
    if (seen.has(hash)) return { refused: `has two different ${what} of hash ${hash}`, required: true };
    seen.add(hash);
  }
  return undefined;
}

/** @param reason a clause, the same for all blocks that are alike in this */
export const skip = (reason: string): Finding => ({ skipped: reason });

/** Whether two hex texts are the same, whatever their letter case. */
export function same(one: string | null | undefined, other: string | null | undefined): boolean {
  return one === other || one?.toLowerCase() === other?.toLowerCase();
}

/** Bytes as JSON-RPC has them. */
export function hex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
