/** The example server in memory, running, with a key for each set of scopes; and conformance run against a server. */
import { memoryServer } from "../../examples/memory-server/app.ts";
import { type Examined, examineServer, type Options } from "../../scripts/command/conformance/run.ts";
import { listen } from "../../server/api/listening/listen.ts";

const keys = new Map<string, { scopes: ("read" | "write")[] }>([
  ["both", { scopes: ["read", "write"] }],
  ["read", { scopes: ["read"] }],
  ["write", { scopes: ["write"] }],
]);

/** Starts it. */
export async function startExample(): Promise<{ url: string; close(): Promise<void> }> {
  return listen(await memoryServer(keys), { port: 0 });
}

/** Examines a server that has the keys of the example. */
export function examineExample(url: string, changes: Partial<Options> = {}): Promise<Examined> {
  return examineServer({
    baseUrl: new URL(url),
    apiKey: "both",
    readKey: "read",
    writeKey: "write",
    callback: { host: "127.0.0.1", port: 0 },
    signal: AbortSignal.timeout(230_000),
    ...changes,
  });
}
