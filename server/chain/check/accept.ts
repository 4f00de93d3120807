/** The one door for blocks: what a node answered comes in only when it is in order, and passes its chain's checks. */
import type { Logger } from "pino";
import type { BlockBundle, Hex } from "../../matching/wire.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import type { ChainConfig } from "../config.ts";
import type { Node } from "../nodes/node.ts";
import { checkBlock, type Inapplicable } from "./check-block.ts";
import { hashOfHeader } from "./header-hash.ts";
import { inOrder } from "./in-order.ts";
import { rulesOf } from "./profiles.ts";

/** Told of what a block was accepted without. */
export type OnInapplicable = (found: Inapplicable, block: BlockId) => void;

/** A block that passed, in order. */
export type Accepted = {
  bundle: BlockBundle;
  /** Where nobody can tell whether its header is the one that its hash names: what it hashes to by what is known. */
  unprovenHeader: Hex | undefined;
};

/** @throws BlockRefusedError */
export function acceptBlock(
  answered: BlockBundle,
  { chain, node, onInapplicable }: { chain: ChainConfig; node: Node; onInapplicable: OnInapplicable },
): Accepted {
  const rules = rulesOf(chain);
  const { bundle, mended } = inOrder(answered, rules);
  const inapplicable = checkBlock(bundle, rules, node.origin);
  const { block } = bundle;
  const id = { number: Number(block.number), hash: block.hash };
  for (const found of [...mended, ...inapplicable]) onInapplicable(found, id);
  const unproven = inapplicable.some(({ check }) => check === "headerHash");
  return { bundle, unprovenHeader: unproven ? hashOfHeader(block, rules.kind) : undefined };
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
