/** A transaction that somebody holds open, so that PostgreSQL can clean up nothing: what it does to the rate. */
import type { Found, Scale } from "./world.ts";
import { drainRate, fill, openWorld } from "./world.ts";

export async function snapshot({ notifications }: Scale): Promise<Found> {
  const count = notifications / 2;
  const rows = [await measure("nobody looks", count, false), await measure("a snapshot is held open", count, true)];
  const [without, held] = rows.map((row) => Number(row["deliveries/s"]));
  return { rows, says: [`${Math.round(((held ?? 0) / (without ?? 1)) * 100) / 100} of the rate.`] };
}

async function measure(what: string, count: number, held: boolean) {
  const world = await openWorld({ webhooks: 1_000 });
  const holder = held ? await world.pool.connect() : undefined;
  await holder?.query("SET idle_in_transaction_session_timeout = 0");
  await holder?.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await holder?.query("SELECT count(*) FROM chains");
  const openedAt = performance.now();
  await fill(world.pool, count);
  world.deliver();
  const rate = await drainRate(world, count);
  const heldMs = performance.now() - openedAt;
  await holder?.query("COMMIT");
  holder?.release(true);
  await world.close();
  return {
    what,
    notifications: count,
    "held open s": held ? Math.round(heldMs / 1_000) : 0,
    "deliveries/s": rate,
  };
}
