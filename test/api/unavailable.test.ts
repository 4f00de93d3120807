/** While the database is away the API says so and when to come back, and it recovers by itself. */

import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "../../server/api/app.ts";
import { type Listening, listen } from "../../server/api/listening/listen.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { readLimits } from "../../server/settings/limits.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { chains, type Reply } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { lockWaits } from "../support/lock-waits.ts";

let database: TestDatabase;
let wire: Wire;
let pool: Pool;
let server: Listening;
let key: string;

type Wire = { port: number; cut(): Promise<void>; mend(): Promise<void> };

/** A TCP relay to PostgreSQL that can be cut, as a network can. */
async function relay(target: URL): Promise<Wire> {
  const sockets = new Set<Socket>();
  let server: Server;
  const open = async (port: number) => {
    server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname);
      for (const socket of [client, upstream]) sockets.add(socket.on("error", () => undefined));
      client.pipe(upstream).pipe(client);
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  };
  const port = await open(0);
  return {
    port,
    mend: async () => void (await open(port)),
    cut: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await closed;
    },
  };
}

beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  wire = await relay(new URL(database.url));
  url.port = String(wire.port);
  pool = createPool(url.href);
  key = (await createKey(pool, { account: "ours", scopes: ["read", "write"] })).key;
  const app = await createApp({
    pool,
    keyring: noKeys,
    chains,
    allowPrivateTargets: false,
    log: pino({ enabled: false }),
    limits: readLimits({}),
  });
  server = await listen(app, { port: 0 });
});
afterAll(async () => {
  await server.close();
  await pool.end();
  await wire.cut();
  await database.drop();
});

async function get(path: string): Promise<Reply> {
  const response = await fetch(server.url + path, { headers: { "x-service-api-key": key } });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test("without the database its paths answer 503 and the others work; all recover with it", async () => {
  expect((await get("/v1/webhooks")).status).toBe(200);
  await wire.cut();
  for (const path of ["/v1/webhooks", "/v1/chains", "/readyz"])
    assertError(await get(path), 503, "The database cannot be reached; try again in 5 seconds.");
  expect((await get("/healthz")).status).toBe(200);
  expect((await fetch(`${server.url}/openapi.json`)).status).toBe(200);
  const mistyped = await fetch(`${server.url}/v1/webhooks`, { headers: { "x-service-api-key": `${key}0` } });
  expect([mistyped.status, (await mistyped.json()).message]).toEqual([401, expect.stringContaining("mistyped")]);
  await wire.mend();
  expect((await get("/v1/webhooks")).status).toBe(200);
});

test("a connection that is cut during the query is a 503", async () => {
  const blocker = await pool.connect();
  await blocker.query("BEGIN; LOCK TABLE chain_lanes");
  const waiting = get("/v1/chains");
  while ((await lockWaits(pool)).length === 0);
  blocker.on("error", () => undefined);
  await wire.cut();
  assertError(await waiting, 503);
  blocker.release(true);
  await wire.mend();
  expect((await get("/readyz")).status).toBe(200);
});

test("a database that ends its connections is a 503, not a 500", async () => {
  const blocker = await pool.connect();
  await blocker.query("BEGIN; LOCK TABLE chain_lanes");
  const waiting = get("/v1/chains");
  while ((await lockWaits(pool)).length === 0);
  await blocker.query("SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid", [await lockWaits(pool)]);
  assertError(await waiting, 503);
  await blocker.query("ROLLBACK");
  blocker.release();
});
