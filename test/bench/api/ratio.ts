/**
 * What enforcement costs: the API as the service has it beside the same handlers in bare Express, on one database, creation and reading,
 * in rounds that take turns. The server's processor time is printed next to the rate, since it does not depend on what else the machine does.
 */
import { Pool } from "undici";
import { cpuMs } from "../deliver/processes.ts";
import { quantile } from "../figures.ts";
import type { Found, Scale } from "./world.ts";
import { type ApiProcess, benchWebhook, openApiWorld } from "./world.ts";

const connections = 16;
const kinds = ["bare", "enforced"] as const;

type Call = { method: "GET" | "POST"; path: string; body?: string; status: number };
type Round = { perSecond: number; cpuMicros: number };

export async function ratio({ rounds, seconds }: Scale): Promise<Found> {
  const world = await openApiWorld();
  const servers = { bare: await world.serve("bare"), enforced: await world.serve("enforced") };
  const headers = { "x-service-api-key": world.key, "content-type": "application/json" };
  let created = 0;
  const create = (): Call => {
    created += 1;
    return { method: "POST", path: "/v1/webhooks", body: benchWebhook(created), status: 201 };
  };
  const round = (server: ApiProcess, next: () => Call, forSeconds = seconds) => load(server, headers, next, forSeconds);
  await round(servers.bare, create, 0.1);
  const { rows } = await world.pool.query<{ id: string }>("SELECT id FROM webhooks LIMIT 1");
  const read = (): Call => ({ method: "GET", path: `/v1/webhooks/${rows[0]?.id}`, status: 200 });
  const operations = { create, read };
  const found: Found = { rows: [], says: [] };
  for (const [name, next] of Object.entries(operations)) {
    const measured: Record<(typeof kinds)[number], Round[]> = { bare: [], enforced: [] };
    for (const kind of kinds) await round(servers[kind], next, 1);
    for (let n = 0; n < rounds; n += 1)
      for (const kind of n % 2 ? kinds.toReversed() : kinds) measured[kind].push(await round(servers[kind], next));
    const median = (kind: (typeof kinds)[number], of: keyof Round) =>
      quantile(
        measured[kind].map((one) => one[of]),
        0.5,
      );
    const part = median("enforced", "perSecond") / median("bare", "perSecond");
    found.rows.push({
      operation: name,
      "bare /s": Math.round(median("bare", "perSecond")),
      "enforced /s": Math.round(median("enforced", "perSecond")),
      "of its rate": Math.round(part * 100) / 100,
      "bare CPU µs": Math.round(median("bare", "cpuMicros")),
      "enforced CPU µs": Math.round(median("enforced", "cpuMicros")),
    });
  }
  await world.close();
  found.says.push(`${rounds} rounds of ${seconds} s each, over ${connections} connections; medians.`);
  return found;
}

/** Asks as fast as answers come. @throws when an answer is not the expected one */
async function load(
  { url, pid }: ApiProcess,
  headers: Record<string, string>,
  next: () => Call,
  seconds: number,
): Promise<Round> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const cpuBefore = cpuMs(pid) ?? Number.NaN;
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;
  let answered = 0;
  const ask = async () => {
    while (performance.now() < endAt) {
      const { status, ...call } = next();
      const response = await pool.request({ ...call, headers });
      const text = await response.body.text();
      if (response.statusCode !== status)
        throw new Error(`${call.method} ${call.path}: ${response.statusCode} ${text}`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  const cpuMicros = (((cpuMs(pid) ?? Number.NaN) - cpuBefore) * 1_000) / answered;
  await pool.close();
  return { perSecond: answered / tookSeconds, cpuMicros };
}
