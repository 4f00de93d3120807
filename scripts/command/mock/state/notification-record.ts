/** A notification of the mock as the contract describes it. */
import type { components } from "../../../../generated/types.ts";
import { finalizedStart } from "../../../../server/matching/event.ts";
import { payloadsOf } from "../../../../server/matching/glacier.ts";
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
  // Without a URL, it is delivered by being in the feed.
  if (isDelivered(kept) || kept.webhook.record.url === undefined) return "delivered";
  return kept.scheduled > defaultPeriods.retryPausesMs.length ? "failed" : "pending";
}

export function detailOf(kept: Kept): Schemas["NotificationDetail"] {
  const { messageId, eventText, attempts } = kept;
  const { id: webhookId, compatibility } = kept.webhook.record;
  return { ...recordOf(kept), ...payloadsOf({ webhookId, messageId, eventText }, compatibility), attempts };
}
