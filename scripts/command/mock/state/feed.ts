/** The mock's feeds: what it keeps of a webhook's notifications, in order, and what comes while somebody waits. */
import { noLongerKept } from "../../../../server/contract/errors.ts";
import type { Handlers } from "../../../../server/contract/handlers.ts";
import type { ServerSentEvent } from "../../../../server/contract/response-check.ts";
import { payloadsOf, sentText } from "../../../../server/matching/glacier.ts";
import type { MockAccount } from "./account.ts";
import type { Kept, MockWebhook } from "./records.ts";

/** How often to look for what is new. */
const lookMs = 20;

export function mockFeedHandlers({ webhooks }: MockAccount): Pick<Handlers, "readFeed"> {
  /** @throws {HttpError} 410 for what was forgotten; {ServiceError} `webhook_not_found` */
  function read(id: string, after: number | undefined, limit: number): { webhook: MockWebhook; found: Kept[] } {
    const webhook = webhooks.get(id);
    const found = [...webhook.notifications.values()].filter(({ sequence }) => sequence > (after ?? 0)).slice(0, limit);
    const first = found[0]?.sequence ?? webhook.sequence + 1;
    if (after !== undefined && after < webhook.sequence && first !== after + 1) throw noLongerKept(first);
    return { webhook, found };
  }

  return {
    async readFeed({ path: { id }, query, headers, wantsEvents, whenClosed }) {
      let isClosed = false;
      whenClosed(() => {
        isClosed = true;
      });
      const last = headers["last-event-id"];
      let after = last === undefined ? query.after : Number(last);
      async function* events(): AsyncGenerator<readonly ServerSentEvent[], void, undefined> {
        while (!isClosed && webhooks.has(id)) {
          const { found } = read(id, after, query.limit);
          after = found.at(-1)?.sequence ?? after;
          if (found.length > 0) yield found.map(eventOf);
          else await new Promise((resolve) => setTimeout(resolve, lookMs));
        }
      }
      let { webhook, found } = read(id, after, query.limit);
      if (wantsEvents) return { status: 200, events: events() };
      const until = Date.now() + query.wait * 1_000;
      while (found.length === 0 && !isClosed && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, lookMs));
        ({ webhook, found } = read(id, after, query.limit));
      }
      const notifications = found.map((kept) => ({
        sequence: kept.sequence,
        ...payloadsOf(sentOf(kept), webhook.record.compatibility),
      }));
      return { status: 200, body: { notifications, lastSequence: webhook.sequence } };
    },
  };
}

/** Its logs were decoded when it was recorded. */
const sentOf = ({ webhook: { record }, messageId, eventText }: Kept) => ({
  webhookId: record.id,
  messageId,
  eventText,
});

function eventOf(kept: Kept): ServerSentEvent {
  return { id: String(kept.sequence), data: sentText(sentOf(kept), kept.webhook.record.compatibility) };
}
