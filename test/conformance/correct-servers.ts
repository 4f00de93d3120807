/** What is no fault: that a server or its deliveries are slow, that others use the account, that a server is busy. */
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { apiKeyHeader } from "../../generated/operations.ts";
import { failureOf } from "../../scripts/command/conformance/report/table.ts";
import type { Examined } from "../../scripts/command/conformance/run.ts";
import type { ActiveWorld } from "./active-world.ts";
import { type Breakage, breakServer } from "./breakage.ts";
import { examineExample, otherKey, startExample } from "./example.ts";

// `SLOW_MS=5000 npm run test:more conformance` makes every answer slower.
const slowMs = Number(process.env.SLOW_MS ?? 2_000);

/** The example behind something that is no fault. */
async function started(around: Omit<Breakage, "says" | "rules">): Promise<{ url: string; close(): Promise<void> }> {
  const example = await startExample();
  const server = await breakServer(example.url, "both", [around]);
  return {
    url: server.url,
    async close() {
      await server.close();
      await example.close();
    },
  };
}

function expectPassed({ findings, left }: Examined): void {
  expect(findings.map(({ rule }) => rule).sort(), findings.flatMap(failureOf).join("\n")).toEqual([]);
  expect(left).toEqual([]);
}

/** Registers the tests; they run next to those of the broken servers. @param world the service, which those use as well */
export function testCorrectServers(world: () => ActiveWorld): void {
  test(`takes ${slowMs} ms for every answer and every notification`, { timeout: 900_000 }, async ({
    onTestFinished,
  }) => {
    const slow = () => wait(slowMs);
    const server = await started({ answer: slow, notify: slow });
    onTestFinished(server.close);
    expectPassed(await examineExample(server.url, { otherKey, signal: AbortSignal.timeout(890_000) }));
  });

  const busy =
    "others use as well, in another run and as a stranger who creates and deletes webhooks, and is overloaded";
  test(`${busy} now and then`, async ({ onTestFinished }) => {
    const server = await started({ request: overloadedNowAndThen() });
    onTestFinished(server.close);
    const ended = new AbortController();
    const stranger = useMeanwhile(server.url, ended.signal);
    const both = await Promise.all([examineExample(server.url, { otherKey }), examineExample(server.url)]);
    ended.abort();
    expect(await stranger).toBeGreaterThan(10);
    for (const examined of both) expectPassed(examined);
  });

  test("is the service, with slow deliveries", async ({ onTestFinished }) => {
    const { url, options } = world();
    const server = await breakServer(url, options.apiKey, [{ notify: () => wait(slowMs) }]);
    onTestFinished(server.close);
    expectPassed(await examineExample(server.url, options));
  });
}

/** Answers every 25th request with 503, and says when to come back. */
function overloadedNowAndThen(): NonNullable<Breakage["request"]> {
  let count = 0;
  return async (_request, ask) => {
    count += 1;
    if (count % 25 !== 0) return undefined;
    const body = { message: "The server is overloaded.", statusCode: 503, error: "Service Unavailable" };
    const { headers } = await ask("GET", "/v1/chains");
    return { status: 503, headers: { ...headers, "retry-after": "0" }, body };
  };
}

/** Creates, pauses and deletes webhooks until it is aborted, always with three of them there. @returns how many it has created */
async function useMeanwhile(url: string, signal: AbortSignal): Promise<number> {
  const ids: string[] = [];
  let created = 0;
  const headers = { [apiKeyHeader]: "both", "content-type": "application/json" };
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/v1/webhooks${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as { id?: string };
  };
  const metadata = { addresses: ["0x00c0f04a9ce0000000000000000000000000a503"] };
  const webhook = { url: "https://example.com/", chainId: "43114", eventType: "address_activity", metadata };
  while (!signal.aborted) {
    // Busy, but no load.
    await wait(50);
    const { id } = await send("POST", "", webhook);
    // Refused where the server is overloaded.
    if (id === undefined) continue;
    ids.push(id);
    created += 1;
    await send("PATCH", `/${ids.at(-1)}`, { status: "inactive" });
    if (ids.length > 3) await send("DELETE", `/${ids.shift()}`);
  }
  for (const id of ids) await send("DELETE", `/${id}`);
  return created;
}
