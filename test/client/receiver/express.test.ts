/** The receiver in real Express and node:http servers, with and without body parsers before it. */
import { connect } from "node:net";
import express, { type RequestHandler } from "express";
import { expect, test, vi } from "vitest";
import { createExpressReceiver, createNodeReceiver, type ReceiverOptions } from "../../../client/receiver/index.ts";
import { eventually } from "../../support/eventually.ts";
import { notification } from "../examples.ts";
import { listen } from "../http-server.ts";
import { deliver, otherSecret, secret } from "./delivery.ts";

async function start(options: Partial<ReceiverOptions> = {}, ...before: RequestHandler[]) {
  const onNotification = vi.fn<ReceiverOptions["onNotification"]>();
  const onError = vi.fn<(error: unknown) => unknown>();
  const app = express();
  for (const handler of before) app.use(handler);
  app.all("/hooks", createExpressReceiver({ secret, onNotification, onError, ...options }));
  return { url: `${await listen(app)}/hooks`, onNotification, onError };
}

async function send(url: string, change: RequestInit = {}): Promise<Response> {
  return fetch(url, { method: "POST", ...(await deliver()), ...change });
}

/** As the receiver's error says. */
function keepBytes(request: object, _response: object, bytes: Uint8Array): void {
  Object.assign(request, { rawBody: bytes });
}

const setBody =
  (body: unknown): RequestHandler =>
  (request, _, next) => {
    request.body = body;
    next();
  };

const moveText: RequestHandler = (request, _, next) => {
  const text = String(request.body);
  Object.assign(request, { rawBody: text, body: JSON.parse(text) });
  next();
};

const parsers: [string, RequestHandler[]][] = [
  ["no parser", []],
  ["express.raw", [express.raw({ type: "application/json" })]],
  ["express.text", [express.text({ type: "application/json" })]],
  ["express.json for other types", [express.json({ type: "application/other" })]],
  ["express.json that keeps the bytes", [express.json({ verify: keepBytes })]],
  ["a platform that has parsed the body and kept its bytes", [express.json({ verify: keepBytes }), setBody({})]],
  ["a platform that has kept the body's text", [express.text({ type: () => true }), moveText]],
];

test.each(parsers)("behind %s it hands over the notification and answers 204", async (_, before) => {
  const { url, onNotification } = await start({}, ...before);
  const response = await send(url);
  expect([response.status, await response.text()]).toEqual([204, ""]);
  const attempt = { sequence: 42, attemptAt: expect.any(Date) };
  expect(onNotification.mock.calls).toEqual([[notification, attempt]]);
});

test.each(parsers)("behind %s it answers 400 to a body that was changed", async (_, before) => {
  const { url, onNotification } = await start({}, ...before);
  const { body } = await deliver();
  const response = await send(url, { body: `${body} ` });
  expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_signature" }]);
  expect(onNotification).not.toHaveBeenCalled();
});

test.each(parsers)("behind %s it answers 413 to a body that is too large", async (_, before) => {
  const { url } = await start({ maxBodyBytes: 1_000 }, ...before);
  const response = await send(url);
  expect([response.status, await response.json()]).toMatchObject([413, { code: "body_too_large" }]);
});

test("behind express.json it answers 500 and explains what to do", async () => {
  const { url, onError, onNotification } = await start({}, express.json());
  expect((await send(url)).status).toBe(500);
  expect(String(onError.mock.calls[0]?.[0])).toMatch(
    /already read by a parser such as express\.json; mount .*express\.raw\(\{ type: 'application\/json', limit: '32mb' \}\)/,
  );
  expect(String(onError.mock.calls[0]?.[0])).toMatch(/express\.json\(\{ limit: '32mb', verify: .*rawBody: bytes/);
  expect(onNotification).not.toHaveBeenCalled();
});

/** The same in `node:http`, without Express. */
async function startBare(options: Partial<ReceiverOptions> = {}, createReceiver = createNodeReceiver) {
  const onNotification = vi.fn<ReceiverOptions["onNotification"]>();
  const onError = vi.fn<(error: unknown) => unknown>();
  const url = await listen(createReceiver({ secret, onNotification, onError, ...options }));
  return { url, onNotification, onError };
}

test.each([createNodeReceiver, createExpressReceiver])("%o works in node:http without Express", async (create) => {
  const { url, onNotification } = await startBare({}, create);
  expect((await send(url)).status).toBe(204);
  expect(onNotification).toHaveBeenCalledTimes(1);
});

test("in node:http it answers 400, 405, 413 and 500 as behind Express", async () => {
  const { url, onNotification } = await startBare();
  const { body } = await deliver();
  expect((await send(url, { body: `${body} ` })).status).toBe(400);
  const get = await fetch(url);
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  expect(onNotification).not.toHaveBeenCalled();
  const { url: small } = await startBare({ maxBodyBytes: 1_000 });
  expect((await send(small)).status).toBe(413);
  expect(await sendRaw(small, "transfer-encoding: chunked", `400\r\n${"x".repeat(0x400)}\r\n`)).toMatch(
    /^HTTP\/1\.1 413 [\s\S]*connection: close/i,
  );
  const failure = new Error("database away");
  const { url: failing, onError } = await startBare({ onNotification: () => Promise.reject(failure) });
  expect((await send(failing)).status).toBe(500);
  expect(onError.mock.calls).toEqual([[failure]]);
});

test("a sender that hangs up within the body, or while the handler works, breaks nothing", async () => {
  let release = () => {};
  const working = new Promise<void>((resolve) => {
    release = resolve;
  });
  const onNotification = vi.fn(() => working);
  const { url } = await startBare({ onNotification });
  const { port, hostname } = new URL(url);
  const { body, headers } = await deliver();
  const head = Object.entries({ host: "a", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `POST / HTTP/1.1\r\n${head.join("")}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  for (const bytes of [request.slice(0, -10), request]) {
    const socket = connect(Number(port), hostname).on("error", () => {});
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
    if (bytes === request) await eventually(() => expect(onNotification).toHaveBeenCalled());
    socket.resetAndDestroy();
  }
  release();
  expect((await send(url)).status).toBe(204);
});

test("answers 405 to another method than POST", async () => {
  const { url } = await start();
  const response = await fetch(url);
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
});

test("answers 400 with the code of what is wrong", async () => {
  const { url, onError } = await start({ secret: otherSecret });
  const response = await send(url);
  expect([response.status, response.headers.get("content-type")]).toEqual([400, "application/json"]);
  expect(await response.json()).toEqual({ code: "invalid_signature", message: expect.any(String) });
  expect(onError).not.toHaveBeenCalled();
});

test("answers 500 when the handler throws, and passes the error on", async () => {
  const failure = new Error("database away");
  const { url, onError } = await start({ onNotification: () => Promise.reject(failure) });
  expect((await send(url)).status).toBe(500);
  expect(onError.mock.calls).toEqual([[failure]]);
});

test("receives several notifications on one connection", async () => {
  const { url, onNotification } = await start();
  for (let count = 0; count < 3; count++) expect((await send(url)).status).toBe(204);
  expect(onNotification).toHaveBeenCalledTimes(3);
});

test("reads the body itself behind a parser that left an empty object, as those of Express 4 do", async () => {
  const { url } = await start({}, (request, _, next) => {
    request.body = {};
    next();
  });
  expect((await send(url)).status).toBe(204);
});

/** Sends a request's head, then `chunk` again and again until the server hangs up. @returns all that it answered. */
async function sendRaw(url: string, header: string, chunk: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const answer = new Promise<string>((resolve) => {
    let text = "";
    socket.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    socket.on("error", () => {}).on("close", () => resolve(text));
  });
  socket.write(`POST /hooks HTTP/1.1\r\nhost: a\r\n${header}\r\n\r\n`);
  const feed = setInterval(() => socket.write(chunk), 2);
  return answer.finally(() => clearInterval(feed));
}

test("answers 413 to an endless body and closes the connection", async () => {
  const { url } = await start({ maxBodyBytes: 10_000 });
  const answer = await sendRaw(url, "transfer-encoding: chunked", `400\r\n${"x".repeat(0x400)}\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toMatch(/connection: close/i);
});

test("answers 413 to a body that says it is too large, without waiting for it", async () => {
  const { url } = await start({ maxBodyBytes: 10_000 });
  expect(await sendRaw(url, "content-length: 10001", "")).toMatch(/^HTTP\/1\.1 413 /);
});
