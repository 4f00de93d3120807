/**
 * What the most expensive requests cost that the documented bounds let through, compared with parsing a plain body of the largest size. The
 * API has its own process, whose processor time and memory are counted.
 */
import { checksummed, costlyRequests, taken } from "../../support/costly-requests.ts";
import { type Cost, mostMemoryMb, rankByCost, startCostlyServer } from "../../support/request-cost.ts";
import { seeded } from "../../support/seeded.ts";
import type { Found, Scale } from "./world.ts";
import { benchChains, benchWebhook, openApiWorld } from "./world.ts";

const shown = 5;

export async function bodies({ rounds }: Scale): Promise<Found> {
  const world = await openApiWorld();
  const server = await startCostlyServer(world.databaseUrl, benchChains);
  const headers = { "x-service-api-key": world.key, "content-type": "application/json" };
  const created = await fetch(`${server.url}/v1/webhooks`, { method: "POST", headers, body: benchWebhook(1) });
  const target = { key: world.key, id: ((await created.json()) as { id: string }).id };
  const worst = new Map<string, Cost>();
  let [parseMs, memoryMb] = [0, 0];
  for (let seed = 1; seed <= rounds * 2; seed += 1) {
    const requests = costlyRequests(target, seeded(seed));
    const { costs, ...found } = await rankByCost(server, requests, { all: 5, worst: 15 });
    for (const cost of costs) if (cost.times > (worst.get(cost.name)?.times ?? 0)) worst.set(cost.name, cost);
    parseMs = found.parseMs;
    memoryMb = Math.max(memoryMb, (await mostMemoryMb(server, requests)) ?? Number.NaN);
  }
  const checksums = [checksummed, taken].map((make) => make(target, seeded(1)));
  const ofChecksums = (await rankByCost(server, checksums, { all: 5, worst: 15 })).costs;
  await server.close();
  await world.close();
  const ranked = [...worst.values()].sort((a, b) => b.times - a.times).slice(0, shown);
  return {
    rows: [...ranked, ...ofChecksums].map(({ name, status, cpuMs, times }) => ({
      request: name,
      status,
      "CPU ms": cpuMs,
      "times JSON.parse": times,
    })),
    says: [
      `The ${shown} worst of ${worst.size} shapes by ${rounds * 2} seeds, each the median of 15; then 10,000 checksums, for a refusal and for rows.`,
      `Parsing the bytes of a plain mebibyte, the contract's example of a creation over and over, takes ${parseMs.toFixed(1)} ms.`,
      `One request takes at most ${memoryMb.toFixed(0)} MB beside what the process has.`,
    ],
  };
}
