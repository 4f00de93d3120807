/** A notification of the mock as the contract describes it. */
import type { components } from "../../../../generated/types.ts";
import { finalizedStart, notificationText } from "../../../../server/matching/event.ts";
import { defaultPeriods } from "../../../../server/settings/periods.ts";
import { isDelivered } from "./outbox.ts";
import type { Kept } from "./records.ts";

type Schemas = components["schemas"];

export function recordOf(kept: Kept): Schemas["NotificationRecord"] {
  const { messageId, sequence, transaction, removed, recordedAt, attempts, retry, wanted } = kept;
  const lastAttempt = attempts.at(-1);
  const nextAttemptAt = wanted === undefined ? retry?.at : Date.now();
  return {
    ...{ messageId, sequence, ...transaction, removed, recordedAt },
    ...(kept.eventText.startsWith(finalizedStart) && { finalized: true }),
    status: statusOf(kept),
    attemptCount: attempts.length,
    ...(nextAttemptAt !== undefined && lastAttempt && { nextAttemptAt }),
    ...(lastAttempt && { lastAttempt }),
  };
}

function statusOf(kept: Kept): Schemas["NotificationStatus"] {
  if (isDelivered(kept)) return "delivered";
  return kept.scheduled > defaultPeriods.retryPausesMs.length ? "failed" : "pending";
}

export function detailOf(kept: Kept): Schemas["NotificationDetail"] {
  const { messageId, eventText, attempts } = kept;
  const text = notificationText({ webhookId: kept.webhook.record.id, messageId, eventText });
  return { ...recordOf(kept), payload: JSON.parse(text), attempts };
}
