/** Checks a block as its chain's profile says. One that fails is fetched again, never accepted. */
import type { BlockBundle } from "../../matching/wire.ts";
import type { Rules } from "./check.ts";
import { examine, type Found } from "./examine.ts";
import { BlockRefusedError } from "./refused.ts";

/** A check that is on and could say nothing of a block, which stands all the same. */
export type Inapplicable = Found;

/**
 * @param node the origin of the node that returned the block, for the error
 * @returns which checks could say nothing of it
 * @throws BlockRefusedError with all checks that failed
 */
export function checkBlock(bundle: BlockBundle, rules: Rules, node: string): Inapplicable[] {
  const { refused, inapplicable } = examine(bundle, rules);
  if (refused.length > 0) throw new BlockRefusedError(refused, { block: bundle.block, node });
  return inapplicable;
}
