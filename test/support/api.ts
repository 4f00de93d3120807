/**
 * The API on a database of its own, over real HTTP: three chains that are followed, one that is not yet, and an account with
 * a key for each set of scopes.
 */

import assert from "node:assert/strict";
import { pino } from "pino";
import { type AppOptions, createApp } from "../../server/api/app.ts";
import { listen } from "../../server/api/listening/listen.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { createTestDatabase } from "./database.ts";
import { moveCursor } from "./move-cursor.ts";

/** What a request may carry beside its method and path. A body that is no string is sent as JSON. */
export type Call = { key?: string | undefined; body?: unknown; headers?: Record<string, string> };

/** A response, read whole. */
export type Reply = {
  status: number;
  headers: Headers;
  /** The JSON of the body; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers whose shape is what they test.
  body: any;
};

/** A running API. */
export type Api = {
  url: string;
  pool: Pool;
  keys: { both: string; read: string; write: string; stranger: string };
  /** Everything that was logged, one JSON object a line. */
  logged: string[];
  /** Sends a request with the key `both`, unless `key` says otherwise; `key: ""` sends none. */
  call(method: string, path: string, call?: Call): Promise<Reply>;
  close(): Promise<void>;
};

/** The chains that `startApi` serves; 10 has not been followed yet. The next block of 43114 is 101. */
export const chains = [
  { chainId: "43114", name: "Avalanche C-Chain", traces: true, finality: "latest", cursor: 100, head: 105 },
  { chainId: "43113", name: "Avalanche Fuji C-Chain", traces: true, cursor: 200, head: 200 },
  { chainId: "1", name: "Ethereum", traces: false, finality: "finalized", cursor: 300, head: null },
  { chainId: "10", name: "Optimism", traces: false, cursor: null, head: null },
] as const;

/** Starts it. */
export async function startApi(options: Partial<AppOptions> = {}): Promise<Api> {
  const database = await createTestDatabase();
  const pool = createPool(database.url);
  await seedChains(pool);
  const keys = {
    both: (await createKey(pool, { account: "ours", scopes: ["read", "write"] })).key,
    read: (await createKey(pool, { account: "ours", scopes: ["read"] })).key,
    write: (await createKey(pool, { account: "ours", scopes: ["write"] })).key,
    stranger: (await createKey(pool, { account: "theirs", scopes: ["read", "write"] })).key,
  };
  const logged: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  const app = await createApp({ pool, keyring: noKeys, chains, allowPrivateTargets: false, log, ...options });
  const server = await listen(app, { port: 0 });
  return {
    url: server.url,
    pool,
    keys,
    logged,
    call: (method, path, call = {}) => send(server.url + path, method, { key: keys.both, ...call }),
    close: async () => {
      await server.close();
      await pool.end();
      await database.drop();
    },
  };
}

async function seedChains(pool: Pool): Promise<void> {
  for (const { chainId, cursor, head } of chains) {
    await pool.query("INSERT INTO chains (chain_id) VALUES ($1)", [chainId]);
    await pool.query("UPDATE chain_lanes SET head_number = $2 WHERE chain_id = $1", [chainId, head]);
    if (cursor !== null) await moveCursor(pool, chainId, cursor);
  }
}

/** Sends a request and reads the answer whole. */
export async function send(url: string, method: string, { key, body, headers }: Call): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key && { "x-service-api-key": key }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    assert.fail(`The body is no JSON: ${text.slice(0, 200)}`);
  }
}

/** A body that creates a webhook, with whatever it should have instead. */
export function newWebhook(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    url: "https://example.com/hook",
    chainId: "43114",
    eventType: "address_activity",
    metadata: { addresses: [address(1)] },
    ...changes,
  };
}

/** The nth address, in lower case. */
export function address(n: number): string {
  return `0x${n.toString(16).padStart(40, "0")}`;
}
