/** What became of a transaction, in sentences made of values that were checked: ids, numbers and names of states. */
import type { components } from "../../../../generated/types.ts";
import { explanationSentence, time } from "../../../../server/matching/sentences.ts";

type Schemas = components["schemas"];

/** The sentence about a notification that there is. */
export function notified(record: Schemas["NotificationRecord"]): string {
  const { messageId, sequence, status, attemptCount, lastAttempt, nextAttemptAt, removed } = record;
  const what = `${removed ? "Retraction" : "Notification"} ${sequence} (messageId ${messageId}) is ${status}`;
  if (status === "delivered" && attemptCount === 0) return `${what}: it is in the feed, and nothing is sent.`;
  const outcome = lastAttempt?.errorClass
    ? `, the last one with ${lastAttempt.errorClass}${lastAttempt.responseStatus ? ` ${lastAttempt.responseStatus}` : ""}`
    : "";
  const next = nextAttemptAt === undefined ? "" : ` The next attempt is at ${time(nextAttemptAt)}.`;
  const attempts = `, after ${attemptCount} ${attemptCount === 1 ? "attempt" : "attempts"}${outcome}.`;
  return `${what}${attempts}${next}`;
}

/** What holds back a webhook's pending notifications. */
export function heldBack({ status, statusSince, statusReason, failingSince }: Schemas["Webhook"]): string[] {
  return [
    ...(status === "inactive"
      ? [`The webhook is inactive since ${time(statusSince)} (${statusReason}), so pending notifications wait.`]
      : []),
    ...(failingSince === undefined ? [] : [`Every attempt at its endpoint has failed since ${time(failingSince)}.`]),
  ];
}

/** The explanation in our own words: the service's message is a text of a stranger. */
export function explained(
  webhook: Schemas["Webhook"],
  { message: _, ...explanation }: Schemas["Explanation"],
): string[] {
  const { notifications } = explanation;
  const waits = notifications.some(({ status }) => status === "pending") ? heldBack(webhook) : [];
  const verdict = `Webhook ${webhook.id} ${explanation.notified ? "was" : "was not"} notified.`;
  return [verdict, ...notifications.map(notified), ...waits, explanationSentence(explanation)];
}
