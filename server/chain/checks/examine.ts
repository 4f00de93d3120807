/** Makes the checks of a block that are on, one after the other, up to the first that fails. */
import type { BlockBundle } from "../../matching/wire.ts";
import { checkBloom } from "./bloom.ts";
import { type Check, type CheckName, type Checks, checkNames, type Finding, refuse } from "./check.ts";
import { checkHeaderHash } from "./header-hash.ts";
import { checkLogIndex } from "./log-index.ts";
import { checkReceipts } from "./receipts.ts";
import { checkReceiptsRoot } from "./receipts-root.ts";
import { checkTraceGas } from "./trace-gas.ts";
import { checkTraces } from "./traces.ts";
import { checkTransactionsRoot } from "./transactions-root.ts";

/** A check and what it found. */
export type Found = { check: CheckName; reason: string };

/** What the checks came to: which of them could say nothing of the block, and the one that failed, if one did. */
export type Verdict = { inapplicable: Found[]; refused?: Found };

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

export function examine(bundle: BlockBundle, checks: Checks): Verdict {
  const inapplicable: Found[] = [];
  for (const check of checkNames) {
    if (check === "parentHash" || checks[check] === "off") continue;
    const finding = look(made[check], bundle);
    if (finding && "refused" in finding) return { inapplicable, refused: { check, reason: finding.refused } };
    if (finding) inapplicable.push({ check, reason: finding.inapplicable });
  }
  return { inapplicable };
}

/** What cannot even be read, such as a field that is absent or no hex, is as wrong as what contradicts itself. */
function look(check: Check, bundle: BlockBundle): Finding | undefined {
  try {
    return check(bundle);
  } catch (error) {
    return refuse(`cannot be read: ${(error as Error).message}`);
  }
}
