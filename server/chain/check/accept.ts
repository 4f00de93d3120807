/** The one door for blocks: what a node answered comes in only when it is in order, and passes its chain's checks. */
import type { Logger } from "pino";
import type { BlockBundle, Hex } from "../../matching/wire.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import type { ChainConfig } from "../config.ts";
import type { Node } from "../nodes/node.ts";
import { type Check, type CheckName, checkNames, type Finding, type Rules, refuse } from "./check.ts";
import { checkBloom, checkReceiptsRoot } from "./committed-receipts.ts";
import { checkHeaderHash, hashOfHeader } from "./header.ts";
import { inOrder } from "./normalise.ts";
import { rulesOf } from "./profiles.ts";
import { checkLogIndex, checkReceipts } from "./receipts.ts";
import { checkTraceGas, checkTraces, checkTracesGiven } from "./traces.ts";
import { checkTransactionsRoot } from "./transactions.ts";

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

// FROM server/chain/check/check-block.ts: /** Checks a block as its chain's profile says. One that fails is fetched again, never accepted. */
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

// FROM server/chain/check/examine.ts: /** Makes all checks of a block that are on: whoever reads of a failure wants to know of every one at once. */
/** A check and what it found. */
export type Found = { check: CheckName; reason: string };

/** A check that failed. Configuration cannot turn off what is `required`. */
export type Failed = Found & { required?: true };

/** What the checks came to: which of them could say nothing of the block, and those that failed. */
export type Verdict = { inapplicable: Found[]; refused: Failed[] };

const made: Readonly<Record<Exclude<CheckName, "parentHash">, Check>> = {
  receipts: checkReceipts,
  logIndex: checkLogIndex,
  bloom: checkBloom,
  transactionsRoot: checkTransactionsRoot,
  receiptsRoot: checkReceiptsRoot,
  headerHash: checkHeaderHash,
  traces: checkTraces,
  traceGas: checkTraceGas,
};

/** What stays of a check that is off: a trace that was not given must never look like a transaction that made no calls. */
const always: Partial<Record<CheckName, Check>> = { traces: checkTracesGiven };

export function examine(bundle: BlockBundle, { checks, kind }: Rules): Verdict {
  const verdict: Verdict = { inapplicable: [], refused: [] };
  for (const name of checkNames) {
    if (name === "parentHash") continue;
    const check = checks[name] === "on" ? made[name] : always[name];
    const finding = check && look(check, bundle, kind);
    if (finding && "refused" in finding)
      verdict.refused.push({ check: name, reason: finding.refused, ...(finding.required && { required: true }) });
    else if (finding) verdict.inapplicable.push({ check: name, reason: finding.inapplicable });
  }
  return verdict;
}

/** What cannot even be read, such as a field that is absent or no hex, is as wrong as what contradicts itself. */
function look(check: Check, bundle: BlockBundle, kind: Rules["kind"]): Finding | undefined {
  try {
    return check(bundle, kind);
  } catch (error) {
    return refuse(`cannot be read: ${(error as Error).message}`);
  }
}

// FROM server/chain/check/refused.ts: /** Reports that a node's block contradicts itself, so that whoever chooses nodes can set this one aside. */
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
