/**
 * What the most expensive requests cost that the documented bounds let through, beside parsing a plain body of the largest size. The API
 * runs in this process, so that its processor time and memory, with those of the asker, can be told to the millisecond.
 */
import { pino } from "pino";
import { createApp } from "../../../server/http/app.ts";
import { listen } from "../../../server/http/listen.ts";
import { noKeys } from "../../../server/store/keyring.ts";
import { checksummed, costlyRequests } from "../../support/costly-requests.ts";
import { type Cost, mostMemoryMb, rankByCost } from "../../support/request-cost.ts";
import { seeded } from "../../support/seeded.ts";
import type { Found, Scale } from "../api.ts";
import { benchChains, benchWebhook, openApiWorld } from "./world.ts";

const shown = 5;

export async function bodies({ rounds }: Scale): Promise<Found> {
  const world = await openApiWorld();
  const context = { pool: world.pool, keyring: noKeys, chains: benchChains, allowPrivateTargets: false };
  const server = await listen(await createApp({ ...context, log: pino({ enabled: false }) }), { port: 0 });
  const headers = { "x-service-api-key": world.key, "content-type": "application/json" };
  const created = await fetch(`${server.url}/v1/webhooks`, { method: "POST", headers, body: benchWebhook(1) });
  const target = { key: world.key, id: ((await created.json()) as { id: string }).id };
  const worst = new Map<string, Cost>();
  let [parseMs, memoryMb] = [0, 0];
  for (let seed = 1; seed <= rounds * 2; seed += 1) {
    const requests = costlyRequests(target, seeded(seed));
    const { costs, ...found } = await rankByCost(server.url, requests, { all: 3, worst: 9 });
    for (const cost of costs) if (cost.times > (worst.get(cost.name)?.times ?? 0)) worst.set(cost.name, cost);
    parseMs = found.parseMs;
    memoryMb = Math.max(memoryMb, (await mostMemoryMb(server.url, requests)) ?? Number.NaN);
  }
  const checksums = (await rankByCost(server.url, [checksummed(target, seeded(1))], { all: 3, worst: 9 })).costs[0];
  await server.close();
  await world.close();
  const ranked = [...worst.values()].sort((a, b) => b.times - a.times).slice(0, shown);
  return {
    rows: [...ranked, ...(checksums ? [checksums] : [])].map(({ name, status, cpuMs, times }) => ({
      request: name,
      status,
      "CPU ms": cpuMs,
      "times JSON.parse": times,
    })),
    says: [
      `The ${shown} worst of ${worst.size} shapes by ${rounds * 2} seeds, each the median of 9; then 10,000 checksums of which the last is wrong.`,
      `JSON.parse of a plain mebibyte, the contract's example of a creation over and over, takes ${parseMs.toFixed(1)} ms.`,
      `One request takes at most ${memoryMb.toFixed(0)} MB beside what the process has.`,
    ],
  };
}
