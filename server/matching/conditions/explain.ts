/** Says which comparisons decided whether a transaction fulfils the conditions of a webhook. */

import type { components } from "../../../generated/types.ts";
import { candidatesOf, conditionsOf, type Watch, watchedIds } from "../conditional.ts";
import type { WebhookFilter } from "../new-webhook.ts";
import type { TransactionParticipants } from "../participants.ts";
import type { BlockBundle } from "../wire.ts";
import { type Candidate, createCandidates } from "./candidates.ts";
import type { Watching } from "./comparison.ts";
import { type Comparison, type FilterNode, keepHolding } from "./tree.ts";

/** A comparison that decided. */
type Decision = Pick<Comparison, "field" | "op" | "value"> & {
  /** In the conditions, such as `all.1`; empty for the whole. */
  path: string;
  /** What the candidate has; null if it lacks the field. Of the direction, each that it has. */
  actual: string | null;
  holds: boolean;
};

export type ConditionsVerdict = {
  /** Whether they are of the transaction alone, and hold for no log or transfer in particular. */
  ofTransaction: boolean;
  /** The transaction, or the logs and transfers, for which they hold. */
  fulfilling: readonly Candidate[];
  /** One for which they hold, or the one that comes closest; undefined if no log or transfer matches by itself. */
  subject: Candidate | undefined;
  /** What decided on the subject. */
  decidedBy: Decision[];
};

/** Of how many the closest is looked for: a transaction can have 10,000 logs, and conditions 50 comparisons. */
const mostCompared = 1_000;

/**
 * Why a transaction that a webhook matches by its addresses and signatures fulfils its conditions, or does not.
 *
 * @param watch what the webhook watches in the block
 */
export function explainConditions(
  bundle: BlockBundle,
  { webhook, watch, transaction }: { webhook: WebhookFilter; watch: Watch; transaction: TransactionParticipants },
): ConditionsVerdict {
  const candidates = createCandidates(bundle);
  const { tree, ofTransaction } = conditionsOf(webhook);
  const places = candidatesOf(candidates, { tree, ofTransaction }, { webhook, watch, transactions: [transaction] });
  const watching = { candidates, watched: watchedIds(candidates, watch) };
  const fulfilling = [...keepHolding(tree, places, watching)];
  const at = fulfilling[0] ?? closest(tree, places.slice(0, mostCompared), watching);
  return {
    ofTransaction,
    fulfilling: fulfilling.flatMap((place) => candidates.all[place] ?? []),
    subject: at === undefined ? undefined : candidates.all[at],
    decidedBy: at === undefined ? [] : decisions(tree, at, watching),
  };
}

/** @returns the first of the places at which the most comparisons are as they must be, or at least have something to compare */
function closest(tree: FilterNode, places: readonly number[], watching: Watching): number | undefined {
  const scores = new Map(places.map((at) => [at, 0]));
  for (const { comparison, wanted } of comparisonsOf(tree, true)) {
    const holding = new Set(keepHolding(comparison, places, watching));
    for (const at of places) {
      const points = holding.has(at) === wanted ? 2 : actualOf(comparison, at, watching) === null ? 0 : 1;
      scores.set(at, (scores.get(at) ?? 0) + points);
    }
  }
  let best: number | undefined;
  for (const [at, score] of scores) if (best === undefined || score > (scores.get(best) ?? 0)) best = at;
  return best;
}

/** @param wanted whether the node must hold */
function comparisonsOf(node: FilterNode, wanted: boolean): { comparison: Comparison & FilterNode; wanted: boolean }[] {
  if (node.kind === "comparison") return [{ comparison: node, wanted }];
  return node.of.flatMap((one) => comparisonsOf(one, node.kind === "not" ? !wanted : wanted));
}

/** The fewest comparisons from which the outcome follows: of `all`, the first that fails, of `any` the first that holds, or else each. */
function decisions(node: FilterNode, at: number, watching: Watching): Decision[] {
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

const holdsAt = (node: FilterNode, at: number, watching: Watching) => keepHolding(node, [at], watching).length > 0;

function actualOf({ read }: Comparison, at: number, { candidates, watched }: Watching): string | null {
  const candidate = candidates.all[at];
  if (!candidate) return null;
  const { transfer } = candidate;
  if (read.isDirection && transfer) {
    const isWatched = (address: string) => watched().has(candidates.idOf(address), at);
    const directions = [isWatched(transfer.to) && "in", isWatched(transfer.from) && "out"].filter(
      (one) => one !== false,
    );
    return directions.join(", ") || null;
  }
  return read.columnOf(candidate)?.read(candidate) ?? null;
}

type Schemas = components["schemas"];
type Decided = Pick<Schemas["PreviewedTransaction"], "decidedBy" | "decidedOn">;

/** In characters. A log can have a text of any length. */
const longestActual = 200;

export function decided({ ofTransaction, subject, decidedBy }: ConditionsVerdict): Decided {
  const decidedOn = !ofTransaction && subject && subjectOf(subject);
  return { decidedBy: decidedBy.map(findingOf), ...(decidedOn && { decidedOn }) };
}

function findingOf({ value, actual, ...decision }: Decision): Schemas["ConditionFinding"] {
  const { path, field, op, holds } = decision;
  const found = actual !== null && { actual: shortened(actual) };
  return { ...{ path, field, op, value: [value].flat().join(", ") }, ...found, holds };
}

/** Not in the middle of a character. */
const shortened = (text: string) =>
  text.length <= longestActual ? text : `${text.slice(0, longestActual).replace(/[\uD800-\uDBFF]$/, "")}…`;

function subjectOf({ logIndex, transfer }: Candidate): Schemas["ConditionSubject"] {
  const { standard, contract, from, to, value, tokenId } = transfer ?? {};
  return {
    ...(logIndex !== null && { logIndex }),
    ...(standard !== undefined && { standard }),
    ...(contract && { contract }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(value !== undefined && { value: value.toString() }),
    ...(tokenId != null && { tokenId: tokenId.toString() }),
  };
}
