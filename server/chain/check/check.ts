/** What a check is: a pure function that looks at a block bundle before anything of it is used. */
import type { BlockBundle, Hex } from "../../matching/wire.ts";
import type { ChainKind, CheckName } from "../../settings/chain-profiles.ts";

/**
 * What a check found: a contradiction, or that it cannot decide. A check returns nothing for a block that passes. Configuration
 * cannot turn off what is `required`.
 */
export type CheckFinding = { refused: string; required?: true } | { skipped: string };

export type Check = (bundle: BlockBundle, kind: ChainKind) => CheckFinding | undefined;

/** A check that a block was accepted without. */
export type SkippedCheck = { check: CheckName; reason: string };

/** A check that failed. Configuration cannot turn off what is `required`. */
export type FailedCheck = { check: CheckName; reason: string; required?: true };

/** @param reason goes on from the block's name, such as `has 3 transactions and 2 receipts` */
export const refuse = (reason: string): CheckFinding => ({ refused: reason });

/** @param hashes one for each of `what` @returns a finding that no configuration turns off, if one is there twice */
export function refuseRepeated(what: string, hashes: readonly string[]): CheckFinding | undefined {
  const seen = new Set<string>();
  for (const hash of hashes.map((hash) => hash.toLowerCase())) {
    if (seen.has(hash)) return { refused: `has two different ${what} of hash ${hash}`, required: true };
    seen.add(hash);
  }
  return undefined;
}

/** @param reason a clause, the same for all blocks that are alike in this */
export const skip = (reason: string): CheckFinding => ({ skipped: reason });

/** Whether two hex texts are the same, whatever their letter case. */
export function same(one: string | null | undefined, other: string | null | undefined): boolean {
  return one === other || one?.toLowerCase() === other?.toLowerCase();
}

/** Bytes as JSON-RPC has them. */
export function hex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
