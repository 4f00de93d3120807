/** The recorder in front of a server that does not behave: a run must end, in bounded time and memory. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import {
  createExchangeRecorder,
  type ExchangeRecorder,
  isNetworkError,
} from "../../scripts/command/conformance/exchange.ts";
import { createPatience, type Patience } from "../../scripts/command/conformance/patience.ts";

const impatience: Patience = { ...createPatience(), scaled: () => 20 };

async function recorderOf(listener: RequestListener, patience?: Patience): Promise<ExchangeRecorder> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const recorder = createExchangeRecorder(new URL(`http://127.0.0.1:${port}`), new AbortController().signal, patience);
  onTestFinished(async () => {
    await recorder.close();
    server.close().closeAllConnections();
  });
  return recorder;
}

const outgoing = { method: "GET", path: "/v1/chains", headers: {} };
const errorOf = (sent: Promise<unknown>) => sent.then(() => undefined).catch((error: unknown) => error);

test("an answer without an end is no answer, and is not kept", async () => {
  let written = 0;
  const recorder = await recorderOf((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024, " "))) written += 1;
    };
    response.on("drain", more);
    more();
  });
  expect(isNetworkError(await errorOf(recorder.send(outgoing, "test")))).toBe(true);
  expect(recorder.exchanges).toEqual([]);
  expect(written).toBeLessThan(64);
});

test("a server that hangs gets no more requests after twenty in a row", async () => {
  let received = 0;
  let hangs = false;
  const recorder = await recorderOf((_request, response) => {
    received += 1;
    if (!hangs) response.end("{}");
  }, impatience);
  const send = () => errorOf(recorder.send(outgoing, "test"));
  await send();
  hangs = true;
  for (let count = 0; count < 10; count += 1) expect(isNetworkError(await send())).toBe(true);
  hangs = false;
  // On a busy machine an answer may come too late.
  await expect.poll(send).toBeUndefined();
  hangs = true;
  received = 0;
  for (let count = 0; count < 30; count += 1) expect(isNetworkError(await send())).toBe(true);
  // On a busy machine one may be given up before it has arrived.
  expect(received).toBeGreaterThan(10);
  expect(received).toBeLessThanOrEqual(20);
});

test("a connection that was kept and is closed is no fault of the server, but one that is closed again is", async () => {
  const used = new Set<unknown>();
  let received = 0;
  let closes = false;
  const recorder = await recorderOf(({ socket }, response) => {
    received += 1;
    if (closes || used.has(socket)) return void socket.destroy();
    used.add(socket);
    response.end("{}");
  });
  for (let count = 0; count < 5; count += 1) expect((await recorder.send(outgoing, "test")).status).toBe(200);
  expect(received).toBeGreaterThan(5);
  closes = true;
  received = 0;
  expect(isNetworkError(await errorOf(recorder.send(outgoing, "test")))).toBe(true);
  expect(received).toBeLessThanOrEqual(3);
});

test.each(["POST", "PATCH", "DELETE"])("%s is never sent twice, since it may have been done", async (method) => {
  const received: string[] = [];
  const recorder = await recorderOf((request, response) => {
    received.push(request.method ?? "");
    if (received.length > 1) return void request.socket.destroy();
    response.end("{}");
  });
  await recorder.send(outgoing, "test");
  const change = { method, path: "/v1/webhooks", headers: {} };
  expect(isNetworkError(await errorOf(recorder.send(change, "test")))).toBe(true);
  expect(received).toEqual(["GET", method]);
});

test("a creation with an Idempotency-Key is sent again where the connection is closed", async () => {
  let received = 0;
  const recorder = await recorderOf(({ socket }, response) => {
    received += 1;
    if (received === 2) return void socket.destroy();
    response.end("{}");
  });
  const create = { method: "POST", path: "/v1/webhooks", headers: { "Idempotency-Key": "one" } };
  for (let count = 0; count < 2; count += 1) expect((await recorder.send(create, "test")).status).toBe(200);
  expect(received).toBe(3);
});

test("a server that is overloaded now and then is asked again each time", async () => {
  let received = 0;
  const recorder = await recorderOf((_request, response) => {
    received += 1;
    if (received % 12 === 0) response.writeHead(503, { "retry-after": "0" });
    response.end("{}");
  });
  for (let count = 0; count < 800; count += 1) expect((await recorder.send(outgoing, "test")).status).toBe(200);
});
