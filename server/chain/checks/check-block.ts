/** Checks a block as its chain's profile says. One that fails is asked for again, never accepted. */
import type { BlockBundle } from "../../matching/wire.ts";
import type { Checks } from "./check.ts";
import { examine, type Found } from "./examine.ts";
import { BlockRefusedError } from "./refused.ts";

/** A check that is on and could say nothing of a block, which stands all the same. */
export type Inapplicable = Found;

/**
 * @param node the origin of the node that gave the block, for the error
 * @returns which checks could say nothing of it
 * @throws BlockRefusedError by the first check that fails
 */
export function checkBlock(bundle: BlockBundle, checks: Checks, node: string): Inapplicable[] {
  const { refused, inapplicable } = examine(bundle, checks);
  if (refused) throw new BlockRefusedError(refused.reason, { check: refused.check, block: bundle.block, node });
  return inapplicable;
}
