/** The same backlog drained by single POSTs and by batches of 50, in turn: notifications a second, and what each costs. */

import { attempted } from "./outbox.ts";
import type { Found, Scale } from "./world.ts";
import { fill, openWorld, startMeter } from "./world.ts";

const maxItems = 50;
/** A batch costs the database as much as a single one does each, so each way gets as many as it sends in a few seconds. */
const rounds = 2;

export async function batches({ notifications }: Scale): Promise<Found> {
  const rows: Found["rows"] = [];
  const rates = { single: [] as number[], batches: [] as number[] };
  for (let round = 1; round <= rounds; round += 1)
    for (const way of ["single", "batches"] as const) {
      const count = way === "single" ? Math.round(notifications / 4) : notifications;
      const { rate, cost } = await drained(count, way === "batches");
      rates[way].push(rate);
      rows.push({ round, way, notifications: count, "notifications/s": rate, ...cost });
    }
  const [single = 0, batched = 0] = [Math.max(...rates.single), Math.max(...rates.batches)];
  const times = Math.round((batched / single) * 10) / 10;
  return {
    rows,
    says: [`In batches of ${maxItems}: ${times} times as many notifications a second as by single POSTs.`],
  };
}

async function drained(count: number, isBatched: boolean) {
  const options = isBatched ? { options: { batch: { maxItems, maxWaitMs: 1_000 } } } : {};
  const world = await openWorld({ webhooks: 200, ...options });
  await fill(world.pool, count);
  const service = world.deliver();
  const posts = isBatched ? count / maxItems : count;
  // What starting takes, and what is cold, is no part of it. Counting attempts again and again would cost the database as much as they do.
  await world.arrived(posts / 10);
  const meter = await startMeter(world, () => service.pid ?? 0);
  const before = await attempted(world.pool);
  const startedAt = performance.now();
  await world.arrived(posts);
  await world.recorded(count);
  const rate = Math.round(((count - before) * 1_000) / (performance.now() - startedAt));
  const cost = await meter(count - before);
  await world.close();
  return { rate, cost };
}
