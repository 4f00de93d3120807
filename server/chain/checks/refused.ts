/** Tells that a node's block contradicts itself, so that whoever chooses nodes can set this one aside. */
import type { Hex } from "../../matching/wire.ts";
import type { CheckName } from "./check.ts";

/** What a node said in place of a hash or a trace may be long. */
const longestReason = 400;

/** A check of a node's block failed. The message is fit for logs: of the node's address it holds the origin only. */
export class BlockRefusedError extends Error {
  override readonly name = "BlockRefusedError";
  readonly code = "block_refused";
  /** The check that failed. */
  readonly check: CheckName;
  readonly block: { number: number; hash: string };
  /** The origin of the node that gave it. */
  readonly node: string;

  readonly reason: string;
  readonly about: { check: CheckName; block: { number: Hex | number; hash: Hex }; node: string };

  /** @param reason goes on from the block's name, such as `has 3 transactions and 2 receipts` */
  constructor(reason: string, about: BlockRefusedError["about"]) {
    const { check, block, node } = about;
    const told = reason.replace(/\s+/g, " ").slice(0, longestReason);
    super(`block ${Number(block.number)} (${block.hash}) of ${node} ${told} (check ${check})`);
    this.reason = reason;
    this.about = { check, block: { number: block.number, hash: block.hash }, node };
    this.check = check;
    this.block = { number: Number(block.number), hash: block.hash };
    this.node = node;
  }
}
