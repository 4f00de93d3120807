/** One transaction that concerns 10,000 webhooks, and one webhook with 10,000 notifications in a block. */
import type { Found } from "../deliver.ts";
import { record } from "./outbox.ts";
import { fill, openWorld } from "./world.ts";

const burst = 10_000;

export async function bursts(): Promise<Found> {
  const rows = [
    await measure("one transaction, 10,000 webhooks", burst, true),
    await measure("one webhook, 10,000 transactions", 1, false),
    await measure("1,000 webhooks, 10,000 transactions", 1_000, false),
  ];
  return { rows, says: [] };
}

async function measure(what: string, webhooks: number, shared: boolean): Promise<Record<string, string | number>> {
  const world = await openWorld({ webhooks });
  world.deliver();
  await fill(world.pool, burst);
  await world.recorded(burst);
  world.receiver.reset();
  const startedAt = performance.now();
  await record(world.pool, burst, { shared });
  const recordedMs = performance.now() - startedAt;
  await world.arrived(burst);
  await world.recorded(2 * burst);
  const doneMs = performance.now() - startedAt;
  await world.close();
  return {
    what,
    "recorded ms": Math.round(recordedMs),
    "delivered and on record ms": Math.round(doneMs),
    "deliveries/s": Math.round((burst * 1_000) / (doneMs - recordedMs)),
  };
}
