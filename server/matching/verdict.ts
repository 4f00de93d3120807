/** Decides why a webhook was or was not notified of a transaction: from what the rule says of it, and from what is on record. */
import type { components } from "../../generated/types.ts";
import type { AnsweredTransaction, AskedBlock, BlockAnswer, OnRecord } from "./explanation.ts";
import { payloadsOf } from "./glacier.ts";
import type { WebhookOptions } from "./new-webhook.ts";
import { explanationSentence } from "./sentences.ts";

type Schemas = components["schemas"];
type Explanation = Schemas["Explanation"];

/** The transaction in its block. */
type FoundTransaction = AskedBlock & Pick<BlockAnswer, "blockTimestamp"> & { transaction: AnsweredTransaction };

/** `pending` for a transaction in no block; undefined for one that is not known, which needs notifications on record. */
export type Found = FoundTransaction | "pending" | undefined;

const mostNotifications = 20;

/** @param txHash in lower case */
export function explain(txHash: string, found: Found, recorded: OnRecord): Explanation {
  const { webhook, notifications, missingBlocks, past } = recorded;
  const followed = past?.isDone === false ? past.replayed : recorded.followed;
  const block = found === "pending" ? undefined : found;
  const { reason, ...because } = decide(found, recorded);
  const { matches, parts = [], partCount = 0, decidedBy, decidedOn } = block?.transaction ?? {};
  const verdict = { webhookId: webhook.id, txHash, notified: reason === "notified", reason };
  const details = {
    ...(block && { blockNumber: String(block.blockNumber), blockHash: block.blockHash }),
    ...(matches !== undefined && { matches }),
    ...{ parts, partCount },
    ...(decidedBy && { decidedBy }),
    ...(decidedOn && { decidedOn }),
    ...because,
    ...(missingBlocks !== undefined && { missingBlocks }),
    ...(followed !== undefined && { followedBlock: String(followed) }),
    notifications: notifications.slice(-mostNotifications),
  };
  return { ...verdict, message: explanationSentence({ ...verdict, ...details }), ...details };
}

type Decision = Pick<Explanation, "reason" | "fromBlock" | "stoppedSince">;

function decide(found: Found, recorded: OnRecord): Decision {
  const newest = recorded.notifications.at(-1);
  if (newest && !newest.removed) return { reason: "notified" };
  if (found === undefined) return { reason: "retracted" };
  const decision: Decision = found === "pending" ? { reason: "pending" } : inBlock(found, recorded);
  // Only what still follows says more than that it was retracted.
  return newest && !following.has(decision.reason) ? { reason: "retracted" } : decision;
}

const following: ReadonlySet<string> = new Set(["not_followed_yet", "waiting_for_finality"]);

function inBlock(found: FoundTransaction, recorded: OnRecord): Decision {
  const { blockNumber: block, transaction } = found;
  const { followed, isOnOtherBranch, stoppedSince, isHeld, keptSince, past } = recorded;
  // It is recorded in any case, whatever the webhook watches by now.
  if (isHeld) return { reason: "waiting_for_finality" };
  if (transaction.reason !== "matches" && transaction.reason !== "not_yet_effective")
    return { reason: transaction.reason };
  if (past?.isDone === false) return { reason: "not_followed_yet" };
  // What a replay brings is notified whether the webhook was active or not.
  const activity = past?.isDone ? undefined : activityAt(found, recorded);
  if (activity) return activity;
  if (transaction.reason === "not_yet_effective")
    return { reason: "not_yet_effective", ...(transaction.fromBlock && { fromBlock: transaction.fromBlock }) };
  if (followed === undefined || block > followed || isOnOtherBranch)
    return { reason: "not_followed_yet", ...(stoppedSince !== undefined && { stoppedSince }) };
  return { reason: found.blockTimestamp * 1_000 < keptSince ? "not_kept" : "unexplained" };
}

/** @returns undefined if the webhook was active at the block */
function activityAt(
  { blockNumber: block, blockTimestamp }: FoundTransaction,
  { webhook, activeBefore }: OnRecord,
): Decision | undefined {
  const start = Number(webhook.effectiveFromBlock);
  const isActive = webhook.status === "active";
  const starts = [...activeBefore.map(({ from }) => from), ...(isActive ? [start] : [])];
  const isIn = ({ from, to }: { from: number; to: number }) => block >= from && block < to;
  if ((isActive && block >= start) || activeBefore.some(isIn)) return undefined;
  // The end of its last activity is known by its time alone if nobody recorded the block.
  const endsByTime = !isActive && activeBefore.every(({ to }) => to < start);
  if (endsByTime && block >= start && blockTimestamp * 1_000 < webhook.statusSince) return undefined;
  const next = starts.filter((from) => from > block);
  const fromBlock = next.length > 0 && { fromBlock: String(Math.min(...next)) };
  const isBefore = block < Math.min(start, ...starts);
  return { reason: isBefore ? "not_yet_effective" : "webhook_inactive", ...fromBlock };
}

/** Nothing is created by a preview, and nothing is sent. */
const nobody = "00000000-0000-0000-0000-000000000000";

export function previewOf(
  chainId: string,
  { blockNumber, blockHash, transactionCount, matchCount, transactions }: AskedBlock & BlockAnswer,
  options: WebhookOptions | undefined,
): Schemas["Preview"] {
  return {
    ...{ chainId, blockNumber: String(blockNumber), blockHash, transactionCount, matchCount },
    transactions: transactions.map((transaction) => previewed(transaction, options)),
  };
}

function previewed(
  { eventText, fromBlock: _, ...rest }: AnsweredTransaction,
  options: WebhookOptions | undefined,
): Schemas["PreviewedTransaction"] {
  const payloads =
    eventText !== undefined && payloadsOf({ webhookId: nobody, messageId: nobody, eventText }, options?.compatibility);
  // What matches only once a factory has named its contract is not notified.
  return { ...rest, matches: rest.reason === "matches", ...payloads };
}
