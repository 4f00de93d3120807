/** The texts of events, which many webhooks often share: read once, and the newest kept. */
import type { Logger } from "pino";
import { type FeedRow, readEventTexts } from "../store/delivery-feed.ts";
import type { Pool } from "../store/pool.ts";

const kept = 2_000;

/** @returns a function that gives the texts of the rows' events, by the event's id */
export function createTexts({
  pool,
  log,
}: {
  pool: Pool;
  log: Logger;
}): (rows: readonly FeedRow[]) => Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  return async (rows) => {
    const found = new Map<number, string>();
    const missing = new Map<number, FeedRow>();
    for (const row of rows) {
      const text = texts.get(row.eventId);
      if (text === undefined) missing.set(row.eventId, row);
      else found.set(row.eventId, text);
    }
    if (missing.size === 0) return found;
    for (const [id, text] of await readEventTexts(pool, [...missing.values()])) {
      found.set(id, text);
      texts.set(id, text);
      missing.delete(id);
    }
    // Written in one transaction with its notifications, so only damage can have taken it away.
    for (const { webhookId, sequence, eventId } of missing.values()) {
      log.error({ webhookId, sequence, eventId }, "a notification's event is missing; it cannot be sent");
    }
    for (const id of texts.keys()) {
      if (texts.size <= kept) break;
      texts.delete(id);
    }
    return found;
  };
}
