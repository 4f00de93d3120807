/**
 * Asks the API as a process of its own: `load.ts URL KEY WEBHOOK SECONDS CONNECTIONS [RATE]`. With a rate it asks so often a second, whether
 * answers come or not, and counts each from when it was due; without one, as fast as answers come. One request in ten creates a webhook.
 */
import { Pool } from "undici";
import { quantile } from "../figures.ts";
import { benchWebhook } from "./world.ts";

/** What came of it. Milliseconds from when a request was due to its answer. */
export type Load = {
  asked: number;
  accepted: number;
  /** By the status 429 or 503. */
  refused: number;
  /** Anything else: other statuses, broken connections, no answer in time. */
  failed: Record<string, number>;
  seconds: number;
  acceptedP50Ms: number;
  acceptedP99Ms: number;
  refusedP50Ms: number;
  refusedP99Ms: number;
};

const [url = "", key = "", webhook = "", seconds = "", connections = "", rate] = process.argv.slice(2);
const pool = new Pool(url, {
  connections: Number(connections),
  pipelining: 1,
  headersTimeout: 20_000,
  bodyTimeout: 20_000,
});
const headers = { "x-service-api-key": key, "content-type": "application/json" };
const accepted: number[] = [];
const refused: number[] = [];
const failed: Record<string, number> = {};
let asked = 0;

async function ask(dueAt: number): Promise<void> {
  asked += 1;
  const call =
    asked % 10 === 0
      ? ({ method: "POST", path: "/v1/webhooks", body: benchWebhook(asked) } as const)
      : ({ method: "GET", path: `/v1/webhooks/${webhook}` } as const);
  try {
    const { statusCode, body } = await pool.request({ ...call, headers });
    await body.dump();
    const tookMs = performance.now() - dueAt;
    if (statusCode < 300) accepted.push(tookMs);
    else if (statusCode === 429 || statusCode === 503) refused.push(tookMs);
    else failed[statusCode] = (failed[statusCode] ?? 0) + 1;
  } catch (error) {
    const { code = "unknown" } = error as { code?: string };
    failed[code] = (failed[code] ?? 0) + 1;
  }
}

const startedAt = performance.now();
const elapsed = () => (performance.now() - startedAt) / 1_000;
if (rate === undefined) {
  const asking = async () => {
    while (elapsed() < Number(seconds)) await ask(performance.now());
  };
  await Promise.all(Array.from({ length: Number(connections) }, asking));
} else {
  const under = new Set<Promise<void>>();
  for (let sent = 0; elapsed() < Number(seconds); ) {
    for (; sent < elapsed() * Number(rate); sent += 1) {
      const one = ask(startedAt + (sent / Number(rate)) * 1_000).finally(() => under.delete(one));
      under.add(one);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(under);
}
const load: Load = {
  ...{ asked, accepted: accepted.length, refused: refused.length, failed, seconds: elapsed() },
  ...{ acceptedP50Ms: quantile(accepted, 0.5), acceptedP99Ms: quantile(accepted, 0.99) },
  ...{ refusedP50Ms: quantile(refused, 0.5), refusedP99Ms: quantile(refused, 0.99) },
};
process.send?.({ load });
await pool.close();
process.disconnect?.();
