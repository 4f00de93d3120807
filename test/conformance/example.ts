/** The example server in memory, running, with two accounts and a key for each set of scopes; and conformance run against a server. */
import express from "express";
import { memoryServer } from "../../examples/memory-server/app.ts";
import { apiKeyHeader } from "../../generated/operations.ts";
import { type Examined, examineServer, type Options } from "../../scripts/command/conformance/run.ts";
import { listen } from "../../server/api/listening/listen.ts";

const keys = new Map<string, { scopes: ("read" | "write")[] }>([
  ["both", { scopes: ["read", "write"] }],
  ["read", { scopes: ["read"] }],
  ["write", { scopes: ["write"] }],
]);
/** The key of the other account. */
export const otherKey = "other";

/** All that a run can be given. */
export const exampleKeys = { apiKey: "both", readKey: "read", writeKey: "write", otherKey };

/** Starts it. The example has one account, so the other one has an example to itself. */
export async function startExample(): Promise<{ url: string; close(): Promise<void> }> {
  const own = await memoryServer(keys);
  const others = await memoryServer(new Map([[otherKey, { scopes: ["read", "write"] }]]));
  const both = express().use((request, response, next) => {
    const server = request.headers[apiKeyHeader] === otherKey ? others : own;
    server(request, response, next);
  });
  return listen(both, { port: 0 });
}

/** Examines a server that has the keys of the example. */
export function examineExample(url: string, changes: Partial<Options> = {}): Promise<Examined> {
  const { apiKey, readKey, writeKey } = exampleKeys;
  return examineServer({
    baseUrl: new URL(url),
    ...{ apiKey, readKey, writeKey },
    callback: { host: "127.0.0.1", port: 0 },
    signal: AbortSignal.timeout(590_000),
    ...changes,
  });
}
