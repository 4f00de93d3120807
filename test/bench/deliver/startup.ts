/** A process starts while very many notifications wait for one endpoint, which hangs: when another webhook of its shard gets its own. */

import { record } from "./outbox.ts";
import type { Found, Scale } from "./world.ts";
import { fill, openWorld, type World } from "./world.ts";

/** With 33 webhooks on 32 shards the first and the last share one. */
const webhooks = 33;

export async function startup({ notifications }: Scale): Promise<Found> {
  const rows = [await measure(0), await measure(notifications)];
  return { rows, says: [] };
}

async function measure(waiting: number) {
  const world = await openWorld({ webhooks, urlOf: (receiver, n) => `${receiver}/${n === 0 ? "hang" : "hook"}` });
  await fill(world.pool, waiting, { only: 1 });
  await record(world.pool, 1, { only: webhooks });
  world.deliver();
  await leased(world);
  const startedAt = performance.now();
  await world.arrived(1);
  const tookMs = Math.round(performance.now() - startedAt);
  await world.close();
  return { "waiting for one that hangs": waiting, "another's first, ms after the leases": tookMs };
}

/** Waits until the process owns all shards. */
async function leased({ pool }: World): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query("SELECT FROM leases WHERE kind = 'shard' AND owner IS NOT NULL");
    if (rowCount === 32) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
