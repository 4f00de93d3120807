/**
 * What one account at its worst costs another: it creates webhooks of 2,000 addresses over 32 connections, as fast as answers come, while the
 * other one reads a webhook and creates one in turn, one after the other. Once without it, once with it, in rounds that take turns.
 */
import { request } from "undici";
import { createKey } from "../../../server/store/accounts/keys.ts";
import { message, start } from "../deliver/processes.ts";
import { quantile } from "../figures.ts";
import type { Found, Scale } from "./world.ts";
import { benchWebhook, openApiWorld } from "./world.ts";

export async function fairness({ rounds, seconds }: Scale): Promise<Found> {
  const world = await openApiWorld();
  const server = await world.serve("enforced");
  const { key: greedy } = await createKey(world.pool, { account: "greedy", scopes: ["read", "write"] });
  const headers = { "x-service-api-key": world.key, "content-type": "application/json" };
  const took: Record<"alone" | "beside", number[]> = { alone: [], beside: [] };
  let created = 0;
  let refused = 0;
  let id = "";
  const ask = async (method: "GET" | "POST"): Promise<number> => {
    const startedAt = performance.now();
    created += 1;
    const call = method === "GET" ? { path: `/${id}` } : { path: "", body: benchWebhook(created) };
    const url = `${server.url}/v1/webhooks${call.path}`;
    const { statusCode, body } = await request(url, { method, headers, ...("body" in call && { body: call.body }) });
    const answer = (await body.json()) as { id?: string };
    if (statusCode >= 300) refused += 1;
    if (method === "POST" && answer.id) id = answer.id;
    return performance.now() - startedAt;
  };
  const round = async (into: number[]) => {
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until) into.push(await ask("POST"), await ask("GET"));
  };
  await round([]);
  for (let n = 0; n < rounds; n += 1) {
    await round(took.alone);
    const child = start("test/bench/api/greedy.ts", [server.url, greedy, String(seconds + 2), "32"]);
    await message(child, "begun");
    await round(took.beside);
    await message(child, "done");
  }
  await world.close();
  const row = (asked: string, samples: number[]) => ({
    asked,
    requests: samples.length,
    "p50 ms": quantile(samples, 0.5),
    "p99 ms": quantile(samples, 0.99),
  });
  return {
    rows: [row("alone", took.alone), row("beside an account at its worst", took.beside)],
    says: [
      `${rounds} rounds of ${seconds} s each; ${refused} of the requests were refused.`,
      "Asker, the other account's asker, service and database share the machine, which alone makes the second row slower.",
    ],
  };
}
