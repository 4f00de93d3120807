/** Reports that a node's block contradicts itself, so that whoever chooses nodes can set this one aside. */
import type { Hex } from "../../matching/wire.ts";
import type { CheckName } from "./check.ts";
import type { Failed } from "./examine.ts";

/** What a node said in place of a hash or a trace may be long. */
const longestReasons = 400;
const longestOfMany = 100;

/** Checks of a node's block failed. The message is fit for logs: of the node's address it holds the origin only. */
export class BlockRefusedError extends Error {
  override readonly name = "BlockRefusedError";
  readonly code = "block_refused";
  /** The first check that failed. */
  readonly check: CheckName;
  readonly block: { number: number; hash: string };
  /** The origin of the node that returned it. */
  readonly node: string;
  /** All that failed and how to follow the chain nevertheless, in sentences fit for everybody: they name no node. */
  readonly summary: string;

  readonly failed: readonly Failed[];
  readonly about: { check: CheckName; block: { number: Hex | number; hash: Hex }; node: string };

  /** @param failed at least one; reasons go on from the block's name, such as `has 3 transactions and 2 receipts` */
  constructor(failed: readonly Failed[], about: Omit<BlockRefusedError["about"], "check">) {
    const { block, node } = about;
    const number = Number(block.number);
    const longest = Math.max(longestOfMany, Math.floor(longestReasons / failed.length));
    const told = failed.map(({ check, reason }) => `${reason.replace(/\s+/g, " ").slice(0, longest)} (check ${check})`);
    const advice = adviceOn(failed);
    super(`block ${number} (${block.hash}) of ${node} ${told.join("; ")}${advice && `. ${advice}`}`);
    const names = failed.map(({ check }) => check);
    this.check = names[0] ?? "parentHash";
    this.summary = `Block ${number} fails ${names.length === 1 ? "the check" : "the checks"} ${names.join(", ")}.${advice && ` ${advice}`}`;
    this.failed = failed;
    this.about = { check: this.check, block: { number: block.number, hash: block.hash }, node };
    this.block = { number, hash: block.hash };
    this.node = node;
  }
}

/** Empty where no configuration helps. */
function adviceOn(failed: readonly Failed[]): string {
  if (failed.some(({ check, required }) => required || check === "parentHash")) return "";
  const checks = JSON.stringify(Object.fromEntries(failed.map(({ check }) => [check, "off"])));
  return `If all nodes of the chain return such blocks, add "checks": ${checks} to its configuration.`;
}
