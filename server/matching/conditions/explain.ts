/** Says which comparisons decided whether a transaction fulfils the conditions of a webhook. */
import { candidatesOf, conditionsOf, type Watch, watches } from "../conditional.ts";
import type { TransactionParticipants } from "../participants.ts";
import type { WebhookFilter } from "../rule.ts";
import type { Transfer } from "../transfers.ts";
import type { BlockBundle } from "../wire.ts";
import { type Candidate, createCandidates } from "./candidates.ts";
import type { Watching } from "./comparison.ts";
import type { Comparison, Node } from "./tree.ts";

/** A comparison that decided. */
export type Decision = Pick<Comparison, "field" | "op" | "value"> & {
  /** In the conditions, such as `all.1`; empty for the whole. */
  path: string;
  /** What the candidate has; null if it lacks the field. Of the direction, each that it has. */
  actual: string | null;
  holds: boolean;
};

/** What conditions say of one candidate: the transaction, a log, a transfer, or a log with its transfer. */
export type CandidateVerdict = Pick<Candidate, "logIndex"> & {
  transfer?: Transfer;
  holds: boolean;
  decidedBy: Decision[];
};

/** The most candidates that are explained. */
const mostExplained = 20;

/**
 * Why a transaction that a webhook matches by its addresses and signatures fulfils its conditions, or does not.
 *
 * @param watch what the webhook watches in the block
 * @returns a verdict on each candidate, those for which the conditions hold first, 20 at most; none if no log or transfer matches by itself.
 *   The transaction is notified if the first one holds
 */
export function explainConditions(
  bundle: BlockBundle,
  { webhook, watch, transaction }: { webhook: WebhookFilter; watch: Watch; transaction: TransactionParticipants },
): CandidateVerdict[] {
  const candidates = createCandidates(bundle);
  const conditions = conditionsOf(webhook);
  const places = candidatesOf(candidates, conditions, { webhook, watch, transactions: [transaction] });
  const watching = { candidates, watches: watches(watch) };
  const held = new Set(conditions.tree.filter(places, watching));
  const shown = [...held, ...places.filter((at) => !held.has(at))].slice(0, mostExplained);
  return shown.map((at) => {
    const { logIndex = null, transfer } = candidates.all[at] ?? {};
    const decidedBy = decisions(conditions.tree, at, watching);
    return { logIndex, ...(transfer && { transfer }), holds: held.has(at), decidedBy };
  });
}

/** The fewest comparisons from which the outcome follows: of `all`, the first that fails, of `any` the first that holds, or else each. */
function decisions(node: Node, at: number, watching: Watching): Decision[] {
  const holds = holdsAt(node, at, watching);
  if (node.kind === "comparison") {
    const { field, op, value, path } = node;
    return [{ path, field, op, value, actual: actualOf(node, at, watching), holds }];
  }
  if (node.kind === "not" || holds === (node.kind === "all"))
    return node.of.flatMap((one) => decisions(one, at, watching));
  const decider = node.of.find((one) => holdsAt(one, at, watching) === holds);
  return decider ? decisions(decider, at, watching) : [];
}

const holdsAt = (node: Node, at: number, watching: Watching) => node.filter([at], watching).length > 0;

function actualOf({ read }: Comparison, at: number, { candidates, watches }: Watching): string | null {
  const candidate = candidates.all[at];
  if (!candidate) return null;
  const { transfer } = candidate;
  if (read.isDirection && transfer) {
    const directions = [watches(transfer.to) && "in", watches(transfer.from) && "out"].filter((one) => one !== false);
    return directions.join(", ") || null;
  }
  return read.columnOf(candidate)?.read(candidate) ?? null;
}
