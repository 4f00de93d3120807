/** Why a webhook was or was not notified of a transaction, in sentences made of values that were checked: ids, numbers and names of states. */
import type { components } from "../../../../generated/types.ts";
import type { TransactionParticipants } from "../../../../server/matching/participants.ts";
import type { NotificationRecord, Watched, Webhook } from "./evidence.ts";
import { isMatch } from "./receipt.ts";

type Chain = components["schemas"]["Chain"];

/** What the agent gave of the transaction, from its receipt. */
export type Known = { block: bigint; participants: TransactionParticipants };

/** The sentence about a notification that there is. */
export function notified(record: NotificationRecord): string {
  const { messageId, sequence, status, attemptCount, lastAttempt, nextAttemptAt, removed } = record;
  const what = `${removed ? "Retraction" : "Notification"} ${sequence} (messageId ${messageId}) is ${status}`;
  const outcome = lastAttempt?.errorClass
    ? `, the last one with ${lastAttempt.errorClass}${lastAttempt.responseStatus ? ` ${lastAttempt.responseStatus}` : ""}`
    : "";
  const next = nextAttemptAt === undefined ? "" : ` The next attempt is at ${time(nextAttemptAt)}.`;
  const attempts = `, after ${attemptCount} ${attemptCount === 1 ? "attempt" : "attempts"}${outcome}.`;
  return `${what}${attempts}${next}`;
}

/** What holds back a webhook's pending notifications. */
export function heldBack({ status, statusSince, statusReason, failingSince }: Webhook): string[] {
  return [
    ...(status === "inactive"
      ? [`The webhook is inactive since ${time(statusSince)} (${statusReason}), so pending notifications wait.`]
      : []),
    ...(failingSince === undefined ? [] : [`Every attempt at its endpoint has failed since ${time(failingSince)}.`]),
  ];
}

/** Why there is no notification. */
export type Explanation = {
  /** The most decisive first. */
  reasons: string[];
  /** Whether the transaction matches, as far as is known. */
  matches: boolean | undefined;
};

/** @param chain undefined when the service does not follow the webhook's chain */
export function notNotified(
  webhook: Webhook,
  chain: Chain | undefined,
  known: Known | undefined,
  watched: Watched | undefined,
): Explanation {
  const { matches, because } = known && watched ? byRule(webhook, known, watched) : withoutReceipt;
  if (matches === false) return { matches, reasons: [because] };
  const found = [...ofChain(webhook, chain), ...ofBlocks(webhook, chain, known), ...inactive(webhook)];
  const later = matches && found.length === 0 ? [unexplained] : [];
  return { matches, reasons: [because, ...found, ...later, kept] };
}

type Rule = { matches: boolean | undefined; because: string };

function byRule(webhook: Webhook, { participants }: Known, { addresses, complete }: Watched): Rule {
  const { eventSignatures } = webhook.metadata;
  const some = addresses.slice(0, 5).join(", ");
  if (isMatch(participants, addresses, eventSignatures))
    return { matches: true, because: `The transaction matches: the webhook watches ${some}.` };
  if (!complete)
    return {
      matches: undefined,
      because: "The webhook has more addresses than were looked up. None of those matches.",
    };
  const count = participants.addresses.size;
  const because =
    addresses.length === 0
      ? `The transaction does not match: the webhook watches none of its ${count} participants now.`
      : `The transaction does not match: the webhook watches ${some}, but no log with one of them has one of its event signatures.`;
  if (!webhook.includeInternalTxs) return { matches: false, because };
  const unlessInternal = "A call frame can still match, since the webhook has includeInternalTxs. A receipt has none.";
  return { matches: undefined, because: `${because} ${unlessInternal}` };
}

const withoutReceipt: Rule = {
  matches: undefined,
  because:
    "Without its receipt it is not known whether the transaction matches. A node returns it for eth_getTransactionReceipt.",
};

function ofChain({ chainId, includeInternalTxs }: Webhook, chain: Chain | undefined): string[] {
  if (!chain) return [`The service does not follow the chain ${chainId}.`];
  const { stoppedSince } = laneOf(chain, includeInternalTxs);
  if (stoppedSince === undefined) return [];
  return [`The chain is not followed since ${time(stoppedSince)}. Its activity is notified once following resumes.`];
}

function ofBlocks(
  { effectiveFromBlock, includeInternalTxs }: Webhook,
  chain: Chain | undefined,
  known?: Known,
): string[] {
  const followed = chain && laneOf(chain, includeInternalTxs).followedBlock;
  if (!known)
    return [
      `The webhook is notified of blocks from ${effectiveFromBlock} on. The newest recorded one is ${followed ?? "not known"}.`,
    ];
  const { block } = known;
  if (block < BigInt(effectiveFromBlock))
    return [
      `Its block ${block} is before ${effectiveFromBlock}, the first that the webhook is notified of. createReplay notifies of it.`,
    ];
  if (followed === undefined || block > BigInt(followed))
    return [
      `Its block ${block} is not recorded yet; the newest that is: ${followed ?? "none"}. The notification follows.`,
    ];
  return [];
}

const laneOf = (chain: Chain, traces: boolean) => chain.lanes?.find((lane) => lane.traces === traces) ?? chain;

function inactive({ status, statusSince, statusReason }: Webhook): string[] {
  if (status !== "inactive") return [];
  const since = `The webhook is inactive since ${time(statusSince)} (${statusReason}).`;
  return [`${since} Activity since then is notified only if it is replayed.`];
}

const unexplained =
  "Nothing that the API shows explains it. The address or the event signature may have been added after the block, or the webhook was " +
  "inactive then. createReplay of the block adds the notification.";
const kept = "Notifications are kept for the service's retention, usually 30 days; older ones are not found.";

/** @param ms since the epoch */
export const time = (ms: number): string => (ms < 8.64e15 ? new Date(ms).toISOString() : `${ms}`);
