/** What notifications take on disk, indexes included: each with an event of its own, delivered at the first attempt. */

import { record } from "./outbox.ts";
import type { Found, Scale } from "./world.ts";
import { openWorld } from "./world.ts";

/** More notifications change no figure. */
const most = 20_000;
/** PostgreSQL stores a row in chunks from 2,032 bytes on. */
const lengths = [600, 1_880, 2_033, 8_000];
const secondsADay = 86_400;

export async function disk({ notifications }: Scale): Promise<Found> {
  const count = Math.min(most, notifications);
  const rows: Found["rows"] = [];
  for (const length of lengths) rows.push(await measure(length, count));
  return { rows, says: ["A day is at 1,000 notifications a second, with one attempt each."] };
}

async function measure(length: number, count: number) {
  const world = await openWorld({ webhooks: 1_000 });
  await record(world.pool, count, { random: true, length });
  world.deliver();
  await world.recorded(count);
  const each = async (table: string) => {
    const { rows } = await world.pool.query<{ bytes: number }>(
      "SELECT sum(pg_total_relation_size(relid))::bigint AS bytes FROM pg_partition_tree($1) WHERE isleaf",
      [table],
    );
    return Math.round((rows[0]?.bytes ?? 0) / count);
  };
  const [event, notification, attempt] = [await each("events"), await each("notifications"), await each("attempts")];
  await world.close();
  const gigabytesADay = (sharedBy: number) =>
    Math.round(((event / sharedBy + notification + attempt) * 1_000 * secondsADay) / 1e9);
  return {
    "length of an event": length,
    "bytes of it": event,
    "of a notification": notification,
    "of an attempt": attempt,
    "GB a day": gigabytesADay(1),
    "shared by ten": gigabytesADay(10),
  };
}
