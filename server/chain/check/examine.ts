/** Makes all checks of a block that are on: whoever reads of a failure wants to know of every one at once. */
import type { BlockBundle } from "../../matching/wire.ts";
import { checkBloom } from "./bloom.ts";
import { type Check, type CheckName, checkNames, type Finding, type Rules, refuse } from "./check.ts";
import { checkHeaderHash } from "./header-hash.ts";
import { checkLogIndex } from "./log-index.ts";
import { checkReceipts } from "./receipts.ts";
import { checkReceiptsRoot } from "./receipts-root.ts";
import { checkTraceGas } from "./trace-gas.ts";
import { checkTraces, checkTracesGiven } from "./traces.ts";
import { checkTransactionsRoot } from "./transactions-root.ts";

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
