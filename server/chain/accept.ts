/** The one door for blocks: what a node answered comes in only when it is in order, and passes its chain's checks. */
import type { Logger } from "pino";
import type { BlockBundle } from "../matching/wire.ts";
import type { BlockId } from "../store/chain-cursor.ts";
import { checkBlock, type Inapplicable } from "./checks/check-block.ts";
import type { ChainConfig } from "./config.ts";
import { inOrder } from "./in-order.ts";
import type { Node } from "./node.ts";
import { checksOf } from "./profiles.ts";

/** Told of what a block was accepted without. */
export type OnInapplicable = (found: Inapplicable, block: BlockId) => void;

/** @throws BlockRefusedError */
export function acceptBlock(
  answered: BlockBundle,
  { chain, node, onInapplicable }: { chain: ChainConfig; node: Node; onInapplicable: OnInapplicable },
): BlockBundle {
  const checks = checksOf(chain);
  const { bundle, mended } = inOrder(answered, checks);
  const inapplicable = checkBlock(bundle, checks, node.origin);
  const id = { number: Number(bundle.block.number), hash: bundle.block.hash };
  for (const found of [...mended, ...inapplicable]) onInapplicable(found, id);
  return bundle;
}

const tellAgainAfter = 1_000;
/** Reasons may quote a node; more of them than this are counted together by their check. */
const reasonsKept = 100;

/** Logs what blocks are accepted without: the first block, then every thousandth, with how many there were. */
export function logInapplicable(log: Logger): OnInapplicable {
  const counts = new Map<string, number>();
  return ({ check, reason }, { number, hash }) => {
    const whole = `${check} ${reason}`;
    const key = counts.size < reasonsKept || counts.has(whole) ? whole : check;
    const blocks = (counts.get(key) ?? 0) + 1;
    counts.set(key, blocks);
    const first = blocks === 1;
    const level = first || blocks % tellAgainAfter === 0 ? "warn" : "debug";
    log[level]({ check, reason, block: number, hash, blocks }, "a block is accepted without a check");
  };
}
