/**
 * The only way in for blocks: a bundle is normalised, and must pass the checks of its chain's profile.
 *
 * Room `check/`: pure functions of a bundle. It imports none of the other rooms of `chain/`, and of `server/` only `matching/`.
 */
import { ServiceError } from "../../base/errors.ts";
import type { BlockBundle, Hex } from "../../matching/wire.ts";
import { type CheckName, checkNames, type Rules } from "../../settings/chain-profiles.ts";
import { type Check, type CheckFinding, type FailedCheck, refuse, type SkippedCheck } from "./check.ts";
import { checkHeaderHash, hashOfHeader } from "./header.ts";
import { normalise } from "./normalise.ts";
import { checkBloom, checkLogIndex, checkReceipts, checkReceiptsDistinct, checkReceiptsRoot } from "./receipts.ts";
import {
  checkTraceGas,
  checkTraces,
  checkTracesPresent,
  checkTransactionsDistinct,
  checkTransactionsRoot,
} from "./transactions.ts";
import { checkData, isBloom, readWireForms } from "./wire-forms.ts";

/** An accepted bundle, normalised. */
type AcceptedBundle = {
  bundle: BlockBundle;
  /** Set if no check can tell whether the block's hash names this header: what the header hashes to, as far as we know its fields. */
  unprovenHeader: Hex | undefined;
  /** What the block was accepted without. */
  skipped: SkippedCheck[];
};

/** @param node the origin of the node that returned the block @throws BlockRefusedError */
export function acceptBundle(fetched: BlockBundle, rules: Rules, node: string): AcceptedBundle {
  const { bundle, repairs, failed, skipped } = examine(fetched, rules);
  if (failed.length > 0)
    throw new BlockRefusedError(failed, { block: fetched.block, node, ...adviceFor(fetched, rules, failed) });
  const unproven = skipped.some(({ check }) => check === "headerHash");
  return {
    bundle,
    unprovenHeader: unproven ? hashOfHeader(bundle.block, rules.kind) : undefined,
    skipped: [...repairs, ...skipped],
  };
}

type Examined = { bundle: BlockBundle; repairs: SkippedCheck[]; failed: FailedCheck[]; skipped: SkippedCheck[] };

/** Brings a bundle into its form, and runs every check that is on. */
function examine(fetched: BlockBundle, rules: Rules): Examined {
  const { bundle: read, unreadable } = readWireForms(fetched, rules.kind);
  const needed = unreadable.filter(({ required }) => required);
  const nothing = { bundle: read, repairs: [], skipped: [] };
  // What is no number cannot be compared.
  if (needed.length > 0) return { ...nothing, failed: needed };
  try {
    const { bundle, repairs } = normalise(read, rules);
    return { bundle, repairs, ...findings(bundle, rules, unreadable) };
  } catch (error) {
    const reason = `cannot be read: ${(error as Error).message}`;
    return { ...nothing, failed: [{ check: "receipts", reason, required: true }] };
  }
}

/**
 * The checks to turn off so that this block is accepted, and with them those that later blocks of its chain will fail, as far as it shows.
 *
 * @returns `off` is empty if no configuration helps
 */
function adviceFor(
  fetched: BlockBundle,
  rules: Rules,
  failed: readonly FailedCheck[],
): Pick<RefusedAbout, "off" | "unseen"> {
  const off = new Set<CheckName>();
  const turnOff = (check: CheckName) => rules.checks[check] === "on" && off.add(check);
  for (let failing = failed; failing.length > 0; ) {
    const known = off.size;
    if (failing.some(isFinal)) return { off: [] };
    for (const { check } of failing) turnOff(check);
    if (lacksBlooms(fetched)) for (const check of ["bloom", "receiptsRoot", "headerHash"] as const) turnOff(check);
    if (off.size === known) return { off: [] };
    const without = Object.fromEntries([...off].map((check) => [check, "off"]));
    failing = examine(fetched, { ...rules, checks: { ...rules.checks, ...without } }).failed;
  }
  const { block, receipts } = fetched;
  const hasLogs = receipts.some(({ logs }) => logs?.length > 0);
  const unseen = block.transactions.length === 0 ? "transactions" : hasLogs ? undefined : "logs";
  return { off: checkNames.filter((name) => off.has(name)), ...(unseen && { unseen }) };
}

/**
 * Ethereum's headers and receipts commit to blooms. A chain without any has roots and hashes of its own, whether or not this block shows it.
 */
function lacksBlooms({ block, receipts }: BlockBundle): boolean {
  return !isBloom(block.logsBloom) && receipts.every(({ logsBloom }) => !isBloom(logsBloom));
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
 * @param unreadable what the checks cannot read
 */
function findings(
  bundle: BlockBundle,
  { checks, kind }: Rules,
  unreadable: readonly FailedCheck[] = [],
): Pick<Examined, "failed" | "skipped"> {
  const skipped: SkippedCheck[] = [];
  const failed: FailedCheck[] = [];
  for (const name of checkNames) {
    // It takes two blocks; `checkParent` is called where there are.
    if (name === "parentHash") continue;
    const isOn = checks[name] === "on";
    const known = unreadable.find(({ check }) => check === name);
    if (isOn && known) {
      failed.push(known);
      continue;
    }
    const check = isOn ? checkOf[name] : alwaysOn[name];
    const finding = check && run(check, bundle, kind);
    if (finding && "refused" in finding)
      failed.push({ check: name, reason: finding.refused, ...(finding.required && { required: true }) });
    else if (finding) skipped.push({ check: name, reason: finding.skipped });
  }
  const lack = failed.length === 0 ? run(checkData, bundle, kind) : undefined;
  if (lack && "refused" in lack) failed.push({ check: "receipts", reason: lack.refused, required: true });
  return { failed, skipped };
}

/**
 * Runs every check that is on.
 *
 * @param node the origin of the node that returned the block
 * @returns the checks that could not decide
 * @throws BlockRefusedError
 */
export function checkBundle(bundle: BlockBundle, rules: Rules, node: string): SkippedCheck[] {
  const { failed, skipped } = findings(bundle, rules);
  if (failed.length > 0) throw new BlockRefusedError(failed, { block: bundle.block, node });
  return skipped;
}

/** A bundle that cannot be read, such as for an absent field, is as wrong as one that contradicts itself. */
function run(check: Check, bundle: BlockBundle, kind: Rules["kind"]): CheckFinding | undefined {
  try {
    return check(bundle, kind);
  } catch (error) {
    return refuse(`cannot be read: ${(error as Error).message}`);
  }
}

/** Reasons may quote what a node returned for a hash or a trace. */
const longestReasons = 400;
const longestOfMany = 100;

type RefusedAbout = {
  check: CheckName;
  block: { number: Hex | number; hash: Hex };
  node: string;
  /** The checks without which the block is accepted; empty if no configuration helps. By default those that failed. */
  off?: readonly CheckName[];
  /** What the block has none of. Blocks that have some may fail further checks. */
  unseen?: "transactions" | "logs";
};

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
  readonly about: RefusedAbout;

  /** @param failed at least one */
  constructor(failed: readonly FailedCheck[], about: Omit<BlockRefusedError["about"], "check">) {
    const { block, node, off, unseen } = about;
    const number = Number(block.number);
    const longest = Math.max(longestOfMany, Math.floor(longestReasons / failed.length));
    const reasons = failed.map(
      ({ check, reason }) => `${reason.replace(/\s+/g, " ").slice(0, longest)} (check ${check})`,
    );
    const advice = adviceOn(off ?? (failed.some(isFinal) ? [] : failed.map(({ check }) => check)), unseen);
    super(
      "block_refused",
      `block ${number} (${block.hash}) of ${node} ${reasons.join("; ")}${advice && `. ${advice}`}`,
    );
    const names = failed.map(({ check }) => check);
    this.check = names[0] ?? "parentHash";
    this.summary = `Block ${number} fails ${names.length === 1 ? "the check" : "the checks"} ${names.join(", ")}.${advice && ` ${advice}`}`;
    this.failed = failed;
    this.about = { ...about, check: this.check, block: { number: block.number, hash: block.hash } };
    this.block = { number, hash: block.hash };
    this.node = node;
  }
}

/** Whether no configuration helps. */
const isFinal = ({ check, required }: FailedCheck) => required || check === "parentHash";

function adviceOn(off: readonly CheckName[], unseen: RefusedAbout["unseen"]): string {
  if (off.length === 0) return "";
  const checks = JSON.stringify(Object.fromEntries(off.map((check) => [check, "off"])));
  const advice = `If all nodes of the chain return such blocks, add "checks": ${checks} to its configuration.`;
  return unseen ? `${advice} This block has no ${unseen}: one that has some may fail further checks.` : advice;
}
