/** Makes all checks of a block that its chain's profile has on. A block that fails one is asked for again, never accepted. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BlockBundle } from "../../matching/wire.ts";
import { checkBloom } from "./bloom.ts";
import { type Check, type CheckName, type Checks, checkNames, type Finding, refuse } from "./check.ts";
import { checkHeaderHash } from "./header-hash.ts";
import { checkLogIndex } from "./log-index.ts";
import { checkReceipts } from "./receipts.ts";
import { checkReceiptsRoot } from "./receipts-root.ts";
import { BlockRefusedError } from "./refused.ts";
import { checkTraceGas } from "./trace-gas.ts";
import { checkTraces } from "./traces.ts";
import { checkTransactionsRoot } from "./transactions-root.ts";

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

/** A check that is on and could say nothing of a block, which stands all the same. */
export type Inapplicable = { check: CheckName; reason: string };

/** For so long everything else in the process may wait; 300 transactions with 1,000 logs stay below it. */
const longestTurnMs = 15;

/**
 * @param node the origin of the node that gave the block, for the error
 * @returns which checks could say nothing of it
 * @throws BlockRefusedError by the first check that fails
 */
export async function checkBlock(bundle: BlockBundle, checks: Checks, node: string): Promise<Inapplicable[]> {
  const inapplicable: Inapplicable[] = [];
  let turn = performance.now();
  for (const check of checkNames) {
    if (check === "parentHash" || checks[check] === "off") continue;
    const finding = look(made[check], bundle);
    if (finding && "refused" in finding)
      throw new BlockRefusedError(finding.refused, { check, block: bundle.block, node });
    if (finding) inapplicable.push({ check, reason: finding.inapplicable });
    if (performance.now() - turn < longestTurnMs) continue;
    await nextTurn();
    turn = performance.now();
  }
  return inapplicable;
}

/** What cannot even be read, such as a field that is absent or no hex, is as wrong as what contradicts itself. */
function look(check: Check, bundle: BlockBundle): Finding | undefined {
  try {
    return check(bundle);
  } catch (error) {
    return refuse(`cannot be read: ${(error as Error).message}`);
  }
}
