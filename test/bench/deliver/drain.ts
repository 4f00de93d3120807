/** A backlog that was recorded while nobody delivered: its first and its last tenth, and what a delivery costs. */

import { residentMb } from "./processes.ts";
import type { Found, Scale } from "./world.ts";
import { fill, openWorld, startMeter } from "./world.ts";

export async function drain({ notifications }: Scale): Promise<Found> {
  const world = await openWorld({ webhooks: 1_000 });
  await fill(world.pool, notifications);
  const service = world.deliver();
  const pid = () => service.pid ?? 0;
  const tenth = notifications / 10;
  /** When each tenth had arrived, and how much memory the sender held then. */
  const marks: { at: number; residentMb: number }[] = [];
  const mark = () => marks.push({ at: performance.now(), residentMb: residentMb(pid()) ?? 0 });
  // What starting takes is no part of it.
  await world.arrived(1);
  const meter = await startMeter(world, pid);
  mark();
  await world.arrived(notifications, (requests) => {
    while (marks.length <= Math.floor(requests / tenth)) mark();
  });
  await world.recorded(notifications);
  const tookMs = performance.now() - (marks[0]?.at ?? 0);
  const cost = await meter(notifications);
  await world.close();
  const rate = (nth: number) => (tenth * 1_000) / ((marks[nth]?.at ?? 0) - (marks[nth - 1]?.at ?? 0));
  const memory = marks.map((each) => each.residentMb);
  const row = {
    notifications,
    "deliveries/s": Math.round((notifications * 1_000) / tookMs),
    "first tenth/s": Math.round(rate(1)),
    "last tenth/s": Math.round(rate(10)),
    "last/first": Math.round((rate(10) / rate(1)) * 100) / 100,
    ...cost,
    "resident MB, tenth by tenth": memory.join(" "),
  };
  return { rows: [row], says: [] };
}
