/** Tells that a node's block contradicts itself, so that whoever chooses nodes can set this one aside. */
import type { WireBlock } from "../../matching/wire.ts";
import type { CheckName } from "./check.ts";

/** A check of a node's block failed. The message is fit for logs: of the node's address it holds the origin only. */
export class BlockRefusedError extends Error {
  override readonly name = "BlockRefusedError";
  readonly code = "block_refused";
  /** The check that failed. */
  readonly check: CheckName;
  readonly block: { number: number; hash: string };
  /** The origin of the node that gave it. */
  readonly node: string;

  /** @param reason goes on from the block's name, such as `has 3 transactions and 2 receipts` */
  constructor(
    reason: string,
    { check, block, node }: { check: CheckName; block: Pick<WireBlock, "number" | "hash">; node: string },
  ) {
    super(`block ${Number(block.number)} (${block.hash}) of ${node} ${reason} (check ${check})`);
    this.check = check;
    this.block = { number: Number(block.number), hash: block.hash };
    this.node = node;
  }
}
