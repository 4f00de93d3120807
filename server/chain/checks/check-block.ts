/** Checks a block as its chain's profile says. One that fails is asked for again, never accepted. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BlockBundle } from "../../matching/wire.ts";
import type { Checks } from "./check.ts";
import { examine, type Found, type Verdict } from "./examine.ts";
import { BlockRefusedError } from "./refused.ts";

/** A check that is on and could say nothing of a block, which stands all the same. */
export type Inapplicable = Found;

let lastTurn: Promise<unknown> = Promise.resolve();

/** Several blocks come in one answer; each is examined in a turn of the event loop of its own. */
async function examineInTurn(bundle: BlockBundle, checks: Checks): Promise<Verdict> {
  lastTurn = lastTurn.then(() => nextTurn());
  await lastTurn;
  return examine(bundle, checks);
}

/**
 * @param node the origin of the node that gave the block, for the error
 * @returns which checks could say nothing of it
 * @throws BlockRefusedError by the first check that fails
 */
export async function checkBlock(bundle: BlockBundle, checks: Checks, node: string): Promise<Inapplicable[]> {
  const { refused, inapplicable } = await examineInTurn(bundle, checks);
  if (refused) throw new BlockRefusedError(refused.reason, { check: refused.check, block: bundle.block, node });
  return inapplicable;
}
