/** A steady stream of notifications for a while: whether the backlog stays flat. */

import { quantile } from "../figures.ts";
import { record } from "./outbox.ts";
import type { Found, Scale } from "./world.ts";
import { fill, openWorld, startMeter } from "./world.ts";

/** Notifications come in blocks, so many a second. */
const blocksASecond = 4;
const sampleMs = 500;

export async function steady({ seconds, rate }: Scale): Promise<Found> {
  const world = await openWorld({ webhooks: 1_000 });
  const service = world.deliver();
  // What starts cold is no part of it.
  const warmUp = 20_000;
  await fill(world.pool, warmUp);
  await world.recorded(warmUp);
  world.receiver.reset();
  const meter = await startMeter(world, () => service.pid ?? 0);
  const startedAt = performance.now();
  let fed = 0;
  let feeding = true;
  const feeder = (async () => {
    for (let block = 0; block < seconds * blocksASecond; block += 1) {
      const dueAt = startedAt + (block * 1_000) / blocksASecond;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
      await record(world.pool, rate / blocksASecond, { stamped: true });
      fed += rate / blocksASecond;
    }
    feeding = false;
  })();
  const backlog: number[] = [];
  while (feeding) {
    await new Promise((resolve) => setTimeout(resolve, sampleMs));
    backlog.push(fed - (await world.receiver.tally()).requests);
  }
  await feeder;
  const fedMs = performance.now() - startedAt;
  await world.arrived(fed);
  await world.recorded(warmUp + fed);
  const cost = await meter(fed);
  const { latencies } = await world.receiver.tally();
  await world.close();
  const third = Math.ceil(backlog.length / 3);
  const row = {
    "wanted/s": rate,
    seconds: Math.round(fedMs / 1_000),
    "delivered/s": Math.round((fed * 1_000) / fedMs),
    "backlog, first third": Math.max(0, quantile(backlog.slice(0, third), 0.5)),
    "backlog, last third": Math.max(0, quantile(backlog.slice(-third), 0.5)),
    "latency ms, median": quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    ...cost,
  };
  return { rows: [row], says: ["The backlog is in notifications; what feeds them shares the machine."] };
}
