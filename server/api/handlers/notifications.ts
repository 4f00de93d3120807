/**
 * A webhook's notifications and the attempts to send them, again too: a resend, or a replay of blocks. Of a replay the API only records the
 * request; the process that follows the chain does the work.
 */
import { assertHasUrl } from "../../contract/webhook-input.ts";
import { ownEventText } from "../../matching/event.ts";
import { payloadsOf } from "../../matching/glacier.ts";
import { decodingAbi } from "../../matching/new-webhook.ts";
import { readReplayRange } from "../../settings/limits.ts";
import { cancelReplay, createReplay, getReplay } from "../../store/chains/replays.ts";
import { createAnnouncer } from "../../store/delivery/announcements.ts";
import { findNotifications } from "../../store/outbox/notification-list.ts";
import { findNotification, readNotification, readNotifications } from "../../store/outbox/notifications.ts";
import { holdWebhook, requestResends } from "../../store/outbox/resends.ts";
import { inTransaction } from "../../store/pool.ts";
import { assertWebhook } from "../../store/webhooks/webhooks.ts";
import { largeAnswers } from "../limits/turns.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";
import { notificationPageToken, parseNotificationPageToken } from "./page-token.ts";

type NotificationHandlers = Pick<ServiceHandlers, "listNotifications" | "getNotification" | "resendNotification">;

export function notificationHandlers({ pool }: HandlerContext): NotificationHandlers {
  const takeLargeAnswer = largeAnswers();
  const announce = createAnnouncer(pool);
  return {
    async listNotifications({ caller, path: { id }, query: { status, afterSequence, pageToken, pageSize } }) {
      const after = parseNotificationPageToken(pageToken) ?? afterSequence ?? 0;
      await assertWebhook(pool, caller.accountId, id);
      const { places, next } = await findNotifications(pool, id, { status, after, limit: pageSize });
      const notifications = await readNotifications(pool, id, places);
      return {
        status: 200,
        body: { notifications, ...(next !== undefined && { nextPageToken: notificationPageToken(next) }) },
      };
    },
    async getNotification({ caller, path: { id: webhookId, messageId } }) {
      await assertWebhook(pool, caller.accountId, webhookId);
      const { record, options, attempts, ...stored } = await readNotification(pool, webhookId, messageId);
      const eventText = ownEventText(stored.eventText, decodingAbi(options));
      await takeLargeAnswer(caller.accountId, eventText.length * (options.compatibility ? 2 : 1));
      const payloads = payloadsOf({ webhookId, messageId, eventText }, options.compatibility);
      return { status: 200, body: { ...record, ...payloads, attempts } };
    },
    async resendNotification({ caller, path: { id, messageId } }) {
      const place = await inTransaction(pool, async (db) => {
        const webhook = await holdWebhook(db, caller.accountId, id);
        assertHasUrl(webhook, "A resend");
        const found = await findNotification(db, id, messageId);
        await requestResends(db, webhook, "resend", [found]);
        return found;
      });
      announce();
      const [record] = await readNotifications(pool, id, [place]);
      if (!record) throw new Error(`The notification ${messageId} was there a moment ago.`);
      return { status: 202, body: record };
    },
  };
}

type ReplayHandlers = Pick<ServiceHandlers, "createReplay" | "getReplay" | "cancelReplay">;

export function replayHandlers({ pool, quotas }: HandlerContext): ReplayHandlers {
  return {
    async createReplay({ caller, path: { id }, body }) {
      const range = readReplayRange(body);
      const replay = await inTransaction(pool, (db) => createReplay(db, caller.accountId, id, range, quotas));
      return { status: 202, headers: { Location: `/v1/webhooks/${id}/replays/${replay.id}` }, body: replay };
    },
    async getReplay({ caller, path: { id, replayId } }) {
      return { status: 200, body: await getReplay(pool, caller.accountId, id, replayId) };
    },
    async cancelReplay({ caller, path: { id, replayId } }) {
      const replay = await inTransaction(pool, (db) => cancelReplay(db, caller.accountId, id, replayId));
      return { status: 200, body: replay };
    },
  };
}
