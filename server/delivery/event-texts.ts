/** Events' texts for the notifications that carry them. Webhooks often share an event, so the newest shared texts are cached. */
import type { Logger } from "../base/log.ts";
import { readEventTexts } from "../store/outbox/event-texts.ts";
import type { Pool } from "../store/pool.ts";

/**
 * In characters. It holds one block's texts, which its notifications share. Most events have a few thousand characters; a
 * transaction of many thousand logs has millions.
 */
const cacheLimit = 8_000_000;
/** In bytes, for one query. */
const readLimit = 16_000_000;
/** In bytes, for one account while others wait for the same query or the next: 16 million took 0.2 to 0.5 s on a busy machine. */
const accountReadLimit = 4_000_000;

type EventRow = { webhookId: string; sequence: number; recordedOn: string; eventId: number };
type AccountEventRow = EventRow & { accountId: number };

export type EventTexts = {
  /**
   * @returns the texts by event id; undefined for an event that no longer exists. An id is missing if its text would exceed one
   * query's limit. The first row's is never missing.
   */
  of(rows: readonly EventRow[]): Promise<Map<number, string | undefined>>;
  /** The same, divided by account: each has a smaller limit, and the one that has read least comes first. */
  byAccount(rows: readonly AccountEventRow[]): Promise<Map<number, string | undefined>>;
};

export function createEventTexts(pool: Pool, log: Logger): EventTexts {
  // Two generations: dropping the older one as a whole costs nothing for each text.
  let newer = new Map<number, string | undefined>();
  let older = newer;
  let size = 0;

  function cache(id: number, text: string | undefined): void {
    newer.set(id, text);
    size += text?.length ?? 0;
    if (size < cacheLimit / 2) return;
    older = newer;
    newer = new Map();
    size = 0;
  }

  async function read(
    rows: readonly (EventRow | AccountEventRow)[],
    limit: number,
  ): Promise<Map<number, string | undefined>> {
    const found = new Map<number, string | undefined>();
    const missing = new Map<number, EventRow>();
    const shared = new Set<number>();
    for (const row of rows) {
      const cached = newer.has(row.eventId) ? newer : older;
      if (cached.has(row.eventId)) found.set(row.eventId, cached.get(row.eventId));
      else if (missing.has(row.eventId)) shared.add(row.eventId);
      else missing.set(row.eventId, row);
    }
    if (missing.size === 0) return found;
    const texts = await readEventTexts(pool, [...missing.values()], limit);
    for (const [id, { webhookId, sequence }] of missing) {
      const text = texts.get(id);
      if (text === null) continue;
      if (text === undefined) log.error({ webhookId, sequence, eventId: id }, "a notification's event is missing");
      found.set(id, text);
      if (shared.has(id)) cache(id, text);
    }
    return found;
  }

  return {
    of: (rows) => read(rows, readLimit),
    byAccount(rows) {
      const accounts = new Set(rows.map(({ accountId }) => accountId)).size;
      return read(rows, Math.min(readLimit, accounts * accountReadLimit));
    },
  };
}
