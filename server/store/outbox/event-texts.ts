/** The texts of events, as they are sent. */
import { type Queryable, takeRows } from "../pool.ts";

/** An event by its id and the day of its recording. */
type EventRef = { recordedOn: string; eventId: number; accountId?: number | undefined };

/** In bytes. No text is longer. */
const longest = 2 ** 31 - 1;

/**
 * Reads events' texts. First come those no longer than an equal share of `limit` bytes, which almost all are; then longer
 * ones until the limit is reached. Accounts take turns by bytes, if events name one; otherwise the given order counts. The
 * first event's text is always read.
 *
 * @returns the texts by id; null for what exceeds the limit; no entry for an event that does not exist
 */
export async function readEventTexts(
  db: Queryable,
  events: readonly EventRef[],
  limit: number,
): Promise<Map<number, string | null>> {
  const texts = new Map<number, string | null>();
  const longer = new Map<number, number>();
  let left = limit;
  for (const { id, size, body } of await readUpTo(db, events, Math.floor(limit / events.length))) {
    texts.set(id, body);
    if (body === null) longer.set(id, size);
    else left -= size;
  }
  if (longer.size === 0) return texts;
  const fitting = inTurnByBytes(events, longer).filter(({ eventId }) => {
    if (left <= 0) return false;
    left -= longer.get(eventId) ?? 0;
    return true;
  });
  for (const { id, body } of await readUpTo(db, fitting, longest)) texts.set(id, body);
  return texts;
}

/** @returns the events that have a size, ordered by what their account has used before them */
function inTurnByBytes(events: readonly EventRef[], sizes: ReadonlyMap<number, number>): EventRef[] {
  const spent = new Map<number | undefined, number>();
  const queued = events.flatMap((event) => {
    const size = sizes.get(event.eventId);
    if (size === undefined) return [];
    const before = spent.get(event.accountId) ?? 0;
    spent.set(event.accountId, before + size);
    return [{ event, before }];
  });
  return queued.sort((a, b) => a.before - b.before).map(({ event }) => event);
}

/** @returns the events with their sizes in bytes; null for a body larger than `largest` */
async function readUpTo(
  db: Queryable,
  events: readonly EventRef[],
  largest: number,
): Promise<{ id: number; size: number; body: string | null }[]> {
  const byDay = new Map<string, number[]>();
  for (const { recordedOn, eventId } of events) {
    const ids = byDay.get(recordedOn);
    if (ids) ids.push(eventId);
    else byDay.set(recordedOn, [eventId]);
  }
  const found = [];
  // There is one day, except around midnight and after days without delivery. Grouping by day finds each partition once.
  for (const [day, ids] of byDay) {
    const result = await db.query<{ id: number; size: number; body: string | null }>({
      name: "read-event-texts",
      // PostgreSQL knows the size without reading the text: it stores long ones outside the row.
      text: `SELECT id, octet_length(body) AS size, CASE WHEN octet_length(body) <= $3 THEN body END AS body
             FROM events WHERE recorded_on = $1 AND id = ANY($2::bigint[])`,
      values: [day, `{${ids.join()}}`, largest],
    });
    found.push(...takeRows(result));
  }
  return found;
}
