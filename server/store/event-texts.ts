/** The texts of events, as they are sent. */
import type { Queryable } from "./pool.ts";

/**
 * Reads events' texts, from the first on as long as `limit` characters are not exceeded, and one in any case.
 *
 * @returns the texts by id; null for what would have been too much at once; nothing for an event that does not exist
 */
export async function readEventTexts(
  db: Queryable,
  events: readonly { recordedOn: string; eventId: number }[],
  limit: number,
): Promise<Map<number, string | null>> {
  const byDay = new Map<string, number[]>();
  for (const { recordedOn, eventId } of events) {
    const ids = byDay.get(recordedOn);
    if (ids) ids.push(eventId);
    else byDay.set(recordedOn, [eventId]);
  }
  const texts = new Map<number, string | null>();
  let left = limit;
  // There is one day but about midnight, and after days without delivery.
  for (const [day, ids] of byDay) {
    for (const { id, body } of await readOfDay(db, { day, ids, limit: left })) {
      texts.set(id, body);
      left -= body === null ? left : Buffer.byteLength(body);
    }
  }
  return texts;
}

/** Of one day, so that its partition is found once, and not for each. Nothing is read where `limit` is no more than 0. */
async function readOfDay(
  db: Queryable,
  { day, ids, limit }: { day: string; ids: readonly number[]; limit: number },
): Promise<{ id: number; body: string | null }[]> {
  const { rows } = await db.query<{ id: number; body: string | null }>({
    name: "read-event-texts",
    // The sizes are known without reading the texts, which lie apart from their rows when they are long.
    text: `SELECT id, CASE WHEN before < $3 THEN body END AS body
           FROM (SELECT e.id, e.body, sum(octet_length(e.body)) OVER (ORDER BY w.place ROWS UNBOUNDED PRECEDING) - octet_length(e.body) AS before
                 FROM unnest($2::bigint[]) WITH ORDINALITY AS w(id, place)
                 JOIN events e ON e.recorded_on = $1 AND e.id = w.id) sized`,
    values: [day, `{${ids.join()}}`, limit],
  });
  return rows;
}
