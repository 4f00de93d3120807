/** Who is slow, or does nothing, is cut off, and costs others nothing meanwhile. */
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "../../../server/api/app.ts";
import { type Listening, listen } from "../../../server/api/listening/listen.ts";
import { noKeys } from "../../../server/settings/keyring.ts";
import { readLimits } from "../../../server/settings/limits.ts";
import { type Api, chains, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";
import { openSocket, parseAnswer, untilEnd } from "../../support/raw-http.ts";

const maxConcurrent = 8;
let api: Api;
let server: Listening;
beforeAll(async () => {
  api = await startApi();
  const limits = readLimits({ MAX_CONCURRENT_REQUESTS: String(maxConcurrent) });
  const app = await createApp({
    pool: api.pool,
    keyring: noKeys,
    chains,
    allowPrivateTargets: false,
    log: pino({ enabled: false }),
    limits,
  });
  const patience = { headersTimeout: 300, requestTimeout: 3_000, keepAliveTimeout: 300, timeout: 5_000, unread: 1_500 };
  server = await listen(app, { port: 0, patience });
});
afterAll(async () => {
  await server.close();
  await api.close();
});

const health = () => fetch(`${server.url}/healthz`, { headers: { connection: "close" } });

test("headers that do not end are cut off, though they keep coming, and others are served", async () => {
  const sockets = Array.from({ length: 20 }, () => openSocket(server.url));
  const trickles = sockets.map((socket) => {
    socket.write("GET /v1/chains HTTP/1.1\r\nhost: a\r\n");
    return setInterval(() => socket.writable && socket.write("x: y\r\n"), 50);
  });
  expect((await health()).status).toBe(200);
  for (const text of await Promise.all(sockets.map(untilEnd)))
    assertError(parseAnswer(text), 408, "The request must arrive within 30 seconds.");
  trickles.forEach(clearInterval);
});

test("a body that does not end is cut off, and uses no request slot meanwhile", async () => {
  const head = `POST /v1/webhooks HTTP/1.1\r\nhost: a\r\nx-service-api-key: ${api.keys.both}\r\n`;
  const read = () =>
    fetch(`${server.url}/v1/webhooks`, { headers: { "x-service-api-key": api.keys.both, connection: "close" } });
  const answers: string[] = [];
  const ended: Promise<void>[] = [];
  // Twice as many as the API has slots, if they took any.
  for (let round = 0; round < 4; round += 1) {
    for (let n = 0; n < maxConcurrent / 2; n += 1) {
      const socket = openSocket(server.url);
      socket.write(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{`);
      ended.push(untilEnd(socket).then((text) => void answers.push(text)));
    }
    await expect.poll(() => read().then(({ status }) => status)).toBe(200);
  }
  expect(answers).toEqual([]);
  await Promise.all(ended);
  for (const text of answers) assertError(parseAnswer(text), 408);
});

test("unread answers are cut off, and do not affect other clients", async () => {
  // More than the buffers of a connection hold.
  const ahead = "GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n".repeat(100);
  const silent = Array.from({ length: 3 }, () => openSocket(server.url).pause());
  const closed = silent.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  for (const socket of silent) {
    socket.write(ahead);
    // It goes on asking, which is no reading.
    const asking = setInterval(() => socket.write(ahead), 50);
    socket.once("close", () => clearInterval(asking));
  }
  await Promise.all(silent.map((socket) => once(socket, "connect")));
  const key = { "x-service-api-key": api.keys.both, connection: "close" };
  // The limits above are those of clients here, too: on a busy machine one may be too slow.
  const list = async () => (await fetch(`${server.url}/v1/webhooks`, { headers: key })).status;
  for (let n = 0; n < 30; n += 1) await expect.poll(list).toBe(200);
  // A client that does not read only learns that it was cut off by writing.
  await Promise.all(closed);
});

test("answers that are read slowly are not cut off", async () => {
  const socket = openSocket(server.url);
  const head = "GET /openapi.json HTTP/1.1\r\nhost: a\r\n";
  socket.write(`${`${head}\r\n`.repeat(9)}${head}connection: close\r\n\r\n`);
  let bytes = 0;
  // For longer than nobody may read at all.
  for await (const chunk of socket) {
    bytes += chunk.length;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const { size } = await stat("generated/openapi.json");
  expect(bytes).toBeGreaterThan(10 * size);
});

test("a connection without a request is closed", async () => {
  const socket = openSocket(server.url);
  socket.write("GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n");
  expect(await untilEnd(socket)).toMatch(/^HTTP\/1\.1 200 /);
  const silent = openSocket(server.url);
  await untilEnd(silent);
});
