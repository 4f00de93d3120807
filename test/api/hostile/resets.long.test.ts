/**
 * Connections that are reset at any moment of any request, on every server of ours: the process lives, and serves. `RESET_SEED=N
 * RESET_COUNT=N` resets at other moments, and more often on each server.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedJanitor } from "../../../scripts/local/janitor.ts";
import { createPool } from "../../../server/store/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { seeded } from "../../support/seeded.ts";

const seed = Number(process.env.RESET_SEED ?? 1);
const count = Number(process.env.RESET_COUNT ?? 150);
const atOnce = 16;

const body = JSON.stringify({ url: "https://example.com", padding: "x".repeat(20_000) });
const post = "POST /v1/webhooks HTTP/1.1\r\nhost: a\r\nx-service-api-key: k\r\ncontent-type: application/json\r\n";
const get = (path: string, version = "HTTP/1.1") => `GET ${path} ${version}\r\nhost: a\r\n\r\n`;
const upgrade = (to: string) =>
  `GET /openapi.json HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: ${to}\r\n\r\n`;

const requests = [
  "CONNECT a:1 HTTP/1.1\r\n\r\n",
  `CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n${"\x16\x03\x01".repeat(1_000)}`,
  `${get("/v1/chains")}CONNECT a:1 HTTP/1.1\r\n\r\n`,
  `${upgrade("websocket")}\x81\x05hello`,
  upgrade("h2c"),
  `${post}expect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  `${post}expect: something-else\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  `${post}content-length: ${body.length}\r\n\r\n${body}`,
  `${post}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  `${post}transfer-encoding: chunked\r\n\r\nzz\r\n`,
  `${post}content-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  get("/openapi.json").repeat(20),
  get("/openapi.json"),
  get("/v1/webhooks"),
  get("/", "HTTP/1.0"),
  "GET /docs\r\n\r\n",
  "GET /openapi.json HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
  "GET /openapi.json HTTP/1.1\r\n\r\n",
  get("http://[/v1/webhooks"),
  get(`/${"x".repeat(20_000)}`),
  "NONSENSE\r\n\r\n",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
];

/** When the connection is reset, once its bytes are on their way. */
const moments = ["now", "soon", "answered", "half-closed"] as const;

type Attack = { bytes: Buffer; cutAt: number; moment: (typeof moments)[number]; delayMs: number };

function attacks(): Attack[] {
  const below = seeded(seed);
  return Array.from({ length: count }, (_, n) => {
    // Each kind of request in turn; half of them are cut in their first bytes, in their head, or anywhere.
    const bytes = Buffer.from(requests[n % requests.length] ?? "", "latin1");
    const end = bytes.indexOf("\r\n\r\n") + 4;
    const cutAt = below(2) === 0 ? bytes.length : 1 + below([8, end, bytes.length][below(3)] ?? 1);
    return { bytes, cutAt, moment: moments[below(moments.length)] ?? "now", delayMs: below(8) };
  });
}

function strike({ port, hostname }: URL, { bytes, cutAt, moment, delayMs }: Attack): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    // Who has closed one half can only go; unread answers make it a reset all the same.
    const reset = () => (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy());
    socket.on("error", () => undefined).once("close", () => resolve());
    socket.once("connect", () => {
      // In two parts, between which the server reads.
      socket.write(bytes.subarray(0, Math.floor(cutAt / 2)));
      setImmediate(() => {
        socket.write(bytes.subarray(Math.floor(cutAt / 2), cutAt));
        if (moment === "half-closed") socket.end();
        if (moment === "now") reset();
        else if (moment === "answered") socket.once("data", reset);
        else setTimeout(reset, delayMs);
      });
    });
    // Where no answer comes.
    setTimeout(reset, 20 + delayMs).unref();
  });
}

/** What each server answers to a GET. */
const alive: Record<string, { path: string; status: number }> = {
  API: { path: "/healthz", status: 200 },
  metrics: { path: "/metrics", status: 200 },
  mock: { path: "/v1/webhooks", status: 401 },
  docs: { path: "/openapi.json", status: 200 },
  listen: { path: "/", status: 405 },
  "conformance receiver": { path: "/", status: 204 },
  "conformance proxy": { path: "/healthz", status: 200 },
};

let database: TestDatabase;
let child: ChildProcess;
let urls: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  const pool = createPool(database.url);
  await pool.end();
  const script = fileURLToPath(new URL("servers-process.ts", import.meta.url));
  child = spawn(process.execPath, ["--import", "tsx", script, database.url], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child, "spawn");
  (await sharedJanitor()).watchProcess(child.pid ?? 0);
  if (!child.stdout) throw new Error("The servers have no output.");
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  urls = JSON.parse(line);
});
afterAll(async () => {
  const ended = once(child, "exit");
  if (child.kill("SIGKILL")) await ended;
  (await sharedJanitor()).forgetProcess(child.pid ?? 0);
  await database.drop();
});

const statusOf = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(40_000) }).then(
    ({ status }) => status,
    (error: { cause?: { code?: string } }) => error.cause?.code,
  );

test(`every server serves after ${count} resets (RESET_SEED=${seed})`, { timeout: 120_000 + count * 200 }, async () => {
  const todo = attacks();
  await Promise.all(
    Object.values(urls).map(async (url) => {
      const target = new URL(url);
      const left = todo.values();
      const striking = async () => {
        for (const attack of left) await strike(target, attack);
      };
      await Promise.all(Array.from({ length: atOnce }, striking));
    }),
  );
  expect(child.exitCode).toBeNull();
  for (const [name, { path, status }] of Object.entries(alive))
    expect([name, await statusOf(urls[name] + path)]).toEqual([name, status]);
});
