/**
 * What readers of feeds cost, and how soon they read: `npm run bench feed [-- --readers N] [--notifications N] [--json]`. As many streams as
 * `--readers` are open on one process of the API, of 50 webhooks of five accounts. Its memory is read before and after. Then notifications are
 * recorded, one after the other, each for a webhook whose readers all get it. The delay is from the commit to the event.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createKey } from "../../server/store/accounts/keys.ts";
import { announceWork } from "../../server/store/delivery/announcements.ts";
import { chainAt } from "../support/move-cursor.ts";
import { record } from "../support/sent.ts";
import { streamsOf } from "./api/streams.ts";
import { benchWebhook, openApiWorld } from "./api/world.ts";
import { quantile, table } from "./figures.ts";

const { values } = parseArgs({
  options: {
    readers: { type: "string", default: "5000" },
    notifications: { type: "string", default: "200" },
    json: { type: "boolean", default: false },
  },
});
const [readers, notifications] = [Number(values.readers), Number(values.notifications)];
const [accounts, webhooksOfEach] = [5, 10];
const openedAtOnce = 50;

const world = await openApiWorld();
// `record` writes on this chain.
await chainAt(world.pool, "43114", 100);
const { url, pid } = await world.serve("enforced");
const memoryMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

const webhooks: { id: string; key: string }[] = [];
for (let account = 0; account < accounts; account += 1) {
  const { key } = await createKey(world.pool, { account: `readers ${account}`, scopes: ["read", "write"] });
  for (let n = 0; n < webhooksOfEach; n += 1) {
    const headers = { "x-service-api-key": key, "content-type": "application/json" };
    const body = benchWebhook(account * webhooksOfEach + n + 1);
    const response = await fetch(`${url}/v1/webhooks`, { method: "POST", headers, body });
    webhooks.push({ id: ((await response.json()) as { id: string }).id, key });
  }
}
await sleep(1_000);
const beforeMb = memoryMb();

const streams = streamsOf(url);
/** By webhook, when each reader got the newest event. */
const receivedAt = new Map<string, number[]>(webhooks.map(({ id }) => [id, []]));

const open = ({ id, key }: { id: string; key: string }) =>
  streams.open(`/v1/webhooks/${id}/feed`, key, (chunk) => {
    if (chunk.includes("id: ")) receivedAt.get(id)?.push(performance.now());
  });

for (let from = 0; from < readers; from += openedAtOnce)
  await Promise.all(
    Array.from({ length: Math.min(openedAtOnce, readers - from) }, (_, index) =>
      open(webhooks[(from + index) % webhooks.length] as { id: string; key: string }),
    ),
  );
await sleep(2_000);
const afterMb = memoryMb();

const delays: number[] = [];
const ofEach = Math.floor(readers / webhooks.length);
for (let n = 0; n < notifications; n += 1) {
  const { id } = webhooks[n % webhooks.length] as { id: string };
  receivedAt.set(id, []);
  await record(world.pool, id, 1);
  const committedAt = performance.now();
  await announceWork(world.pool, "notifications");
  while ((receivedAt.get(id)?.length ?? 0) < ofEach) await sleep(1);
  delays.push(...(receivedAt.get(id) ?? []).map((at) => at - committedAt));
  await sleep(20);
}
const report = [
  {
    readers,
    beforeMb: Math.round(beforeMb),
    afterMb: Math.round(afterMb),
    kbEach: Math.round(((afterMb - beforeMb) * 1024) / readers),
    events: delays.length,
    medianMs: quantile(delays, 0.5),
    p99Ms: quantile(delays, 0.99),
  },
];
console.log(values.json ? JSON.stringify(report, null, 2) : table(report));
streams.close();
await world.close();
process.exit(0);
