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
  const { rows } = await db.query<{ id: number; body: string | null }>({
    name: "read-event-texts",
    // The sizes are known without reading the texts, which lie apart from their rows when they are long.
    text: `SELECT id, CASE WHEN before < $3 THEN body END AS body
           FROM (SELECT e.id, e.body, sum(octet_length(e.body)) OVER (ORDER BY w.place) - octet_length(e.body) AS before
                 FROM unnest($1::date[], $2::bigint[]) WITH ORDINALITY AS w(recorded_on, id, place)
                 CROSS JOIN LATERAL (SELECT id, body FROM events WHERE recorded_on = w.recorded_on AND id = w.id) e) sized`,
    values: [events.map(({ recordedOn }) => recordedOn), events.map(({ eventId }) => eventId), limit],
  });
  return new Map(rows.map((row) => [row.id, row.body]));
}
