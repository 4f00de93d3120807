/** A chain that is only known to the test: it grows, is reorganised, and becomes final when the test says so. */
import { createHash } from "node:crypto";
import type { Hex } from "../../server/matching/wire.ts";
import type { Block } from "./one-transaction.ts";

export class MadeChain {
  readonly chainId: string;
  readonly blocks: Block[] = [];
  finalNumber = 1;
  private made = 0;

  constructor(chainId: string) {
    this.chainId = chainId;
  }

  mine(count: number): void {
    for (let block = 0; block < count; block += 1) {
      this.made += 1;
      const hash: Hex = `0x${createHash("sha256").update(`${this.chainId} ${this.made}`).digest("hex")}`;
      const parent = this.blocks.at(-1);
      this.blocks.push({ number: this.blocks.length, hash, parentHash: parent?.hash ?? `0x${"0".repeat(64)}` });
    }
  }

  /** Replaces the newest blocks by one more. @returns those that left the chain */
  reorganise(depth: number): Block[] {
    const gone = Math.min(depth, this.blocks.length - 1 - this.finalNumber);
    const left = this.blocks.splice(this.blocks.length - gone, gone);
    this.mine(gone + 1);
    return left;
  }

  /** Replaces the newest blocks by ones that left the chain before, which follow on what is below them. */
  restore(blocks: readonly Block[]): void {
    const [first] = blocks;
    if (!first || first.number <= this.finalNumber) return;
    if (this.blocks[first.number - 1]?.hash !== first.parentHash) return;
    this.blocks.splice(first.number, this.blocks.length, ...blocks);
    this.mine(2);
  }

  /** All but the newest blocks can be replaced no more. */
  finalise(left: number): void {
    this.finalNumber = Math.max(this.finalNumber, this.blocks.length - 1 - left);
  }
}
