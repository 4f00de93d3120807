/**
 * The only way in for blocks: a bundle is normalised, and must pass the checks of its chain's profile.
 *
 * Room `check/`: pure functions of a bundle. It imports none of the other rooms of `chain/`, and of `server/` only `matching/`.
 */
import { ServiceError } from "../../errors.ts";
import type { BlockBundle, Hex } from "../../matching/wire.ts";
import {
  type Check,
  type CheckName,
  checkNames,
  type FailedCheck,
  type Finding,
  type Rules,
  refuse,
  type SkippedCheck,
} from "./check.ts";
import { checkBloom, checkReceiptsRoot } from "./committed-receipts.ts";
import { checkHeaderHash, hashOfHeader } from "./header.ts";
import { normalise } from "./normalise.ts";
import { checkLogIndex, checkReceipts, checkReceiptsDistinct } from "./receipts.ts";
import { checkTraceGas, checkTraces, checkTracesPresent } from "./traces.ts";
import { checkTransactionsDistinct, checkTransactionsRoot } from "./transactions.ts";

/** An accepted bundle, normalised. */
export type AcceptedBundle = {
  bundle: BlockBundle;
  /** Set if no check can tell whether the block's hash names this header: what the header hashes to, as far as we know its fields. */
  unprovenHeader: Hex | undefined;
  /** What the block was accepted without. */
  skipped: SkippedCheck[];
};

/** @param node the origin of the node that returned the block @throws BlockRefusedError */
export function acceptBundle(fetched: BlockBundle, rules: Rules, node: string): AcceptedBundle {
  const { bundle, repairs } = normalise(fetched, rules);
  const skipped = checkBundle(bundle, rules, node);
  const unproven = skipped.some(({ check }) => check === "headerHash");
  return {
    bundle,
    unprovenHeader: unproven ? hashOfHeader(bundle.block, rules.kind) : undefined,
    skipped: [...repairs, ...skipped],
  };
}

const checkOf: Readonly<Record<Exclude<CheckName, "parentHash">, Check>> = {
  receipts: checkReceipts,
  logIndex: checkLogIndex,
  bloom: checkBloom,
  transactionsRoot: checkTransactionsRoot,
  receiptsRoot: checkReceiptsRoot,
  headerHash: checkHeaderHash,
  traces: checkTraces,
  traceGas: checkTraceGas,
};

/**
 * What runs although the check is off: a missing trace must never look like a transaction that made no calls, and no transaction is notified
 * twice, or by one of two receipts.
 */
const alwaysOn: Partial<Record<CheckName, Check>> = {
  receipts: checkReceiptsDistinct,
  transactionsRoot: checkTransactionsDistinct,
  traces: checkTracesPresent,
};

/**
 * Runs every check that is on, so that an error names all that fail.
 *
 * @param node the origin of the node that returned the block
 * @returns the checks that could not decide
 * @throws BlockRefusedError
 */
export function checkBundle(bundle: BlockBundle, { checks, kind }: Rules, node: string): SkippedCheck[] {
  const skipped: SkippedCheck[] = [];
  const failed: FailedCheck[] = [];
  for (const name of checkNames) {
    // It takes two blocks; `checkParent` is called where there are.
    if (name === "parentHash") continue;
    const check = checks[name] === "on" ? checkOf[name] : alwaysOn[name];
    const finding = check && run(check, bundle, kind);
    if (finding && "refused" in finding)
      failed.push({ check: name, reason: finding.refused, ...(finding.required && { required: true }) });
    else if (finding) skipped.push({ check: name, reason: finding.skipped });
  }
  if (failed.length > 0) throw new BlockRefusedError(failed, { block: bundle.block, node });
  return skipped;
}

/** A bundle that cannot be read, such as for an absent field, is as wrong as one that contradicts itself. */
function run(check: Check, bundle: BlockBundle, kind: Rules["kind"]): Finding | undefined {
  try {
    return check(bundle, kind);
  } catch (error) {
    return refuse(`cannot be read: ${(error as Error).message}`);
  }
}

/** Reasons may quote what a node returned for a hash or a trace. */
const longestReasons = 400;
const longestOfMany = 100;

/** Checks of a node's block failed. The message may be logged: of the node's address it holds the origin only. */
export class BlockRefusedError extends ServiceError {
  override readonly name = "BlockRefusedError";
  /** The first check that failed. */
  readonly check: CheckName;
  readonly block: { number: number; hash: string };
  /** The origin of the node that returned it. */
  readonly node: string;
  /** Which checks failed and how to follow the chain nevertheless. Names no node, so anybody may read it. */
  readonly summary: string;

  readonly failed: readonly FailedCheck[];
  readonly about: { check: CheckName; block: { number: Hex | number; hash: Hex }; node: string };

  /** @param failed at least one */
  constructor(failed: readonly FailedCheck[], about: Omit<BlockRefusedError["about"], "check">) {
    const { block, node } = about;
    const number = Number(block.number);
    const longest = Math.max(longestOfMany, Math.floor(longestReasons / failed.length));
    const reasons = failed.map(
      ({ check, reason }) => `${reason.replace(/\s+/g, " ").slice(0, longest)} (check ${check})`,
    );
    const advice = adviceOn(failed);
    super(
      "block_refused",
      `block ${number} (${block.hash}) of ${node} ${reasons.join("; ")}${advice && `. ${advice}`}`,
    );
    const names = failed.map(({ check }) => check);
    this.check = names[0] ?? "parentHash";
    this.summary = `Block ${number} fails ${names.length === 1 ? "the check" : "the checks"} ${names.join(", ")}.${advice && ` ${advice}`}`;
    this.failed = failed;
    this.about = { check: this.check, block: { number: block.number, hash: block.hash }, node };
    this.block = { number, hash: block.hash };
    this.node = node;
  }
}

/** Empty if no configuration helps. */
function adviceOn(failed: readonly FailedCheck[]): string {
  if (failed.some(({ check, required }) => required || check === "parentHash")) return "";
  const checks = JSON.stringify(Object.fromEntries(failed.map(({ check }) => [check, "off"])));
  return `If all nodes of the chain return such blocks, add "checks": ${checks} to its configuration.`;
}
