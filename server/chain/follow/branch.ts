/** Reorganisations: where a new branch leaves the recorded chain. */
import type { Hex } from "../../matching/wire.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import { BlockRefusedError } from "../check/accept.ts";
import type { Header } from "../read/fetch.ts";
import type { HeaderSource } from "../sources/source.ts";
import { StandstillError } from "./standstill.ts";

/** A branch that replaces the recorded blocks above `ancestor`: the hashes of its blocks below the tip, in order. */
export type Branch = { ancestor: number; ancestorHash: Hex; hashes: Hex[] };

/** Whether a block is on record; undefined if none of its number is. */
export type IsRecorded = (block: BlockId) => Promise<boolean | undefined>;

/**
 * Walks back by parent hash to a recorded block.
 *
 * @param tip a block of the new branch, at most one above the cursor
 * @throws StandstillError if the branch leaves the recorded chain below finality, NodeError if the source lacks a parent,
 *   BlockRefusedError if it returns another block as the parent
 */
export async function findBranch(
  isRecorded: IsRecorded,
  { origin, headerOf }: HeaderSource,
  tip: Omit<Header, "hash">,
): Promise<Branch> {
  const hashes: Hex[] = [];
  for (let { number, parentHash } = tip; ; ) {
    const recorded = await isRecorded({ number: number - 1, hash: parentHash });
    if (recorded) return { ancestor: number - 1, ancestorHash: parentHash, hashes: hashes.reverse() };
    if (recorded === undefined) {
      throw new StandstillError(
        `The chain's nodes have block ${parentHash} at height ${number - 1}, which contradicts a block that was final; ` +
          `following stops until they agree with what was recorded.`,
        "finality",
      );
    }
    hashes.push(parentHash);
    const parent = await headerOf(parentHash, number - 1);
    // Each step must go down by one, so the walk ends whatever a node makes up.
    if (parent.number !== number - 1)
      throw new BlockRefusedError([{ check: "parentHash", reason: `is returned as the parent of block ${number}` }], {
        block: { number: `0x${parent.number.toString(16)}`, hash: parentHash },
        node: origin,
      });
    ({ number, parentHash } = parent);
  }
}
