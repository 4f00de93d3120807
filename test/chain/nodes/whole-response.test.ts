/** A node may send anything, for as long as it likes; whoever asked gets an end to it, and so does the node. */

import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { post } from "../../../server/chain/nodes/whole-response.ts";
import { eventually } from "../../support/eventually.ts";

/** A server, its address, and how many requests it got. */
async function serve(answer: RequestListener) {
  const onRequest = vi.fn(answer);
  const server = createServer(onRequest);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc?key=1`, server, onRequest };
}

/** Sends a little each millisecond until nobody listens any more. */
function sendWithoutEnd(response: ServerResponse): void {
  const timer = setInterval(() => response.write("x".repeat(100)), 1);
  response.on("close", () => clearInterval(timer));
}

const request = { headers: { "content-type": "application/json" }, body: "{}" };
const never = new AbortController().signal;
const text = "a".repeat(1000);

test("a response is received whole, up to the longest that is wanted", async () => {
  const { url, onRequest } = await serve((_, response) => response.writeHead(203, { "x-of": "node" }).end(text));
  const whole = await post(url, request, { most: 1000, signal: never });
  expect(whole).toMatchObject({ status: 203, headers: { "x-of": "node" }, text });
  expect(onRequest.mock.calls[0]?.[0]).toMatchObject({ method: "POST", url: "/rpc?key=1" });
  expect((await post(url, request, { most: 999, signal: never })).text).toBeUndefined();
});

test("a response without end is left, and its connection with it", async () => {
  let left: Promise<unknown> | undefined;
  const { url } = await serve((_, response) => {
    left = once(response, "close");
    sendWithoutEnd(response);
  });
  expect(await post(url, request, { most: 1000, signal: never })).toMatchObject({ status: 200, text: undefined });
  await left;
});

test("a compressed response counts with the length that it inflates to", async () => {
  const { url } = await serve((_, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text)),
  );
  expect((await post(url, request, { most: 1000, signal: never })).text).toBe(text);
  expect((await post(url, request, { most: 999, signal: never })).text).toBeUndefined();
});

test("a response that breaks off is an error", async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { "content-length": "10" }).write("12345", () => response.destroy());
  });
  await expect(post(url, request, { most: 1000, signal: never })).rejects.toThrow();
});

test("what is aborted while it arrives ends immediately, with the reason, and its connection with it", async () => {
  let left: Promise<unknown> | undefined;
  const { url } = await serve((_, response) => {
    left = once(response, "close");
    sendWithoutEnd(response);
  });
  const controller = new AbortController();
  const posted = post(url, request, { most: 1_000_000, signal: controller.signal });
  await eventually(() => expect(left).toBeDefined());
  controller.abort(new Error("enough"));
  await expect(posted).rejects.toThrow("enough");
  await left;
});

test("what is aborted before it is sent is never sent", async () => {
  const { url, server, onRequest } = await serve((_, response) => response.end(text));
  const controller = new AbortController();
  const connected = once(server, "connection");
  const posted = post(url, request, { most: 1000, signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(posted).rejects.toThrow("enough");
  await expect(post(url, request, { most: 1000, signal: controller.signal })).rejects.toThrow("enough");
  // The connection that was being made is made.
  await connected;
  await sleep(50);
  expect(onRequest).not.toHaveBeenCalled();
});
