/** The texts of events for those who send them. One event is often shared by many webhooks: the newest of those are kept. */
import type { Logger } from "pino";
import { readEventTexts } from "../store/outbox/event-texts.ts";
import type { Pool } from "../store/pool.ts";

/**
 * In characters: enough for a block's, which its notifications share. An event is a few thousand mostly, and millions for a
 * transaction of many thousand logs.
 */
const keptAtMost = 8_000_000;
const readAtMost = 16_000_000;
/** And of one account where others wait for the same read, or for the next: 16 million took 0.2 to 0.5 s on a busy machine. */
const readOfAccount = 4_000_000;

type EventOf = { webhookId: string; sequence: number; recordedOn: string; eventId: number };
type EventOfAccount = EventOf & { accountId: number };

export type Texts = {
  /**
   * @returns the texts by the events' ids, undefined for an event that is gone. One that is missing would have been too much
   * at once: a long one, and never that of the first row.
   */
  of(rows: readonly EventOf[]): Promise<Map<number, string | undefined>>;
  /** The same, divided by account: of one account it reads less at once, and who has had less of it comes first. */
  byAccount(rows: readonly EventOfAccount[]): Promise<Map<number, string | undefined>>;
};

export function createTexts(pool: Pool, log: Logger): Texts {
  // Two generations: the older one is forgotten as a whole, which costs nothing for each.
  let newer = new Map<number, string | undefined>();
  let older = newer;
  let size = 0;

  function keep(id: number, text: string | undefined): void {
    newer.set(id, text);
    size += text?.length ?? 0;
    if (size < keptAtMost / 2) return;
    older = newer;
    newer = new Map();
    size = 0;
  }

  async function read(rows: readonly (EventOf | EventOfAccount)[], limit: number): ReturnType<Texts["of"]> {
    const found = new Map<number, string | undefined>();
    const missing = new Map<number, EventOf>();
    const shared = new Set<number>();
    for (const row of rows) {
      const kept = newer.has(row.eventId) ? newer : older;
      if (kept.has(row.eventId)) found.set(row.eventId, kept.get(row.eventId));
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
      if (shared.has(id)) keep(id, text);
    }
    return found;
  }

  return {
    of: (rows) => read(rows, readAtMost),
    byAccount(rows) {
      const accounts = new Set(rows.map(({ accountId }) => accountId)).size;
      return read(rows, Math.min(readAtMost, accounts * readOfAccount));
    },
  };
}
