/** Checks a block as its chain's profile says. One that fails is asked for again, never accepted. */
import type { BlockBundle } from "../../matching/wire.ts";
import { weightOf } from "../weight.ts";
import type { Checks } from "./check.ts";
import { examine, type Found } from "./examine.ts";
import { BlockRefusedError } from "./refused.ts";
import { examineBeside } from "./threads.ts";

/** A check that is on and could say nothing of a block, which stands all the same. */
export type Inapplicable = Found;

/** Lighter blocks take less than a millisecond: too little to be handed over. */
const worthHandingOver = 2 * 1024 * 1024;

/**
 * @param node the origin of the node that gave the block, for the error
 * @returns which checks could say nothing of it
 * @throws BlockRefusedError by the first check that fails
 */
export async function checkBlock(bundle: BlockBundle, checks: Checks, node: string): Promise<Inapplicable[]> {
  const { refused, inapplicable } =
    weightOf(bundle) < worthHandingOver ? examine(bundle, checks) : await examineBeside(bundle, checks);
  if (refused) throw new BlockRefusedError(refused.reason, { check: refused.check, block: bundle.block, node });
  return inapplicable;
}
