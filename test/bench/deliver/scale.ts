/** A backlog delivered by one process, and by two that divide its shards between them on the same machine. */
import type { Found, Scale } from "./world.ts";
import { drainRate, fill, openWorld } from "./world.ts";

export async function scale({ notifications }: Scale): Promise<Found> {
  const count = notifications / 2;
  const rows = [await measure(1, count), await measure(2, count)];
  const [one, two] = rows.map((row) => row["deliveries/s"]);
  return { rows, says: [`Two deliver ${Math.round(((two ?? 0) / (one ?? 1)) * 100) / 100} times what one does.`] };
}

async function measure(processes: number, count: number) {
  const world = await openWorld({ webhooks: 1_000 });
  await fill(world.pool, count);
  const services = Array.from({ length: processes }, () => world.deliver());
  // From when each has its part of the shards.
  while ((await owners(world)) < services.length) await new Promise((resolve) => setTimeout(resolve, 100));
  const rate = await drainRate(world, count);
  await world.close();
  return { processes, notifications: count, "deliveries/s": rate };
}

async function owners({ pool }: Awaited<ReturnType<typeof openWorld>>): Promise<number> {
  const { rows } = await pool.query<{ owners: number }>(
    "SELECT count(DISTINCT owner) AS owners FROM leases WHERE kind = 'shard' AND expires_at > clock_timestamp()",
  );
  return rows[0]?.owners ?? 0;
}
