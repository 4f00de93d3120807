/** A body is read where the contract has one for the operation, behind everything else that is looked at. Nothing of any other is. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen } from "../../../server/api/listening/listen.ts";
import { type Api, newWebhook, startApi } from "../../support/api.ts";
import { openSocket, untilEnd } from "../../support/raw-http.ts";

let api: Api;
let id: string;
beforeAll(async () => {
  api = await startApi();
  id = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
});
afterAll(() => api.close());

const head = (line: string, key: string, ...headers: string[]) =>
  [`${line.replace(":id", id)} HTTP/1.1`, "host: a", `x-service-api-key: ${key}`, ...headers, "", ""].join("\r\n");
const json = "content-type: application/json";
const chunked = "transfer-encoding: chunked";

/** The status line of the next answer; the body of the request is still to come. */
async function answered(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return chunk.toString().split("\r\n", 1)[0]?.slice("HTTP/1.1 ".length) ?? "";
}

test.each([
  ["POST /v1/webhooks", "none", "401 Unauthorized"],
  ["POST /x", "none", "404 Not Found"],
  ["POST /v1/chains", "none", "405 Method Not Allowed"],
  ["GET /v1/chains", "none", "200 OK"],
  ["GET /healthz", "none", "200 OK"],
  ["POST /v1/x", "both", "404 Not Found"],
  ["PUT /v1/webhooks", "both", "405 Method Not Allowed"],
  ["POST /v1/webhooks", "read", "403 Forbidden"],
  ["POST /v1/webhooks?colour=red", "both", "400 Bad Request"],
  ["PATCH /v1/webhooks/7", "both", "400 Bad Request"],
  ["GET /v1/webhooks", "both", "200 OK"],
  ["GET /v1/webhooks/:id", "both", "200 OK"],
  ["POST /v1/webhooks/:id/secret/rotate", "both", "200 OK"],
] as const)("%s with the key %s is answered before its body has come", async (line, key, status) => {
  const socket = openSocket(api.url);
  const value = key === "none" ? "wrong" : api.keys[key];
  // A megabyte is announced, and one byte of it comes.
  socket.write(`${head(line, value, json, "content-encoding: gzip", "content-length: 1000000")}{`);
  expect(await answered(socket)).toBe(status);
  socket.destroy();
});

test.each(["GET /v1/webhooks/:id", "GET /v1/chains", "POST /v1/webhooks/:id/secret/rotate"])(
  "%s discards a body that it does not use, and keeps the connection",
  async (line) => {
    const socket = openSocket(api.url);
    const bomb = gzipSync(`[${'"",'.repeat(340_000)}""]`);
    for (const body of [Buffer.from("{"), bomb, Buffer.alloc(1_500_000, "[")]) {
      socket.write(head(line, api.keys.both, json, "content-encoding: gzip", `content-length: ${body.length}`));
      socket.write(body);
      expect(await answered(socket)).toBe("200 OK");
    }
    socket.destroy();
  },
);

test.each([
  ["POST /v1/webhooks", "401", ""],
  ["GET /v1/webhooks", "200", "both"],
  ["POST /v1/webhooks", "413", "both"],
] as const)("%s that was answered with %s and goes on sending is cut off", async (line, status, key) => {
  const { answer, sent } = await sendOnAndOn(api.url, head(line, key === "" ? "" : api.keys[key], json, chunked));
  expect(answer).toMatch(new RegExp(`^(HTTP/1.1 ${status} |$)`));
  expect(sent).toBeLessThan(50_000_000);
});

test.each(["POST /", "GET /", "POST http://["])("%s with an endless body is cut off by every server", async (line) => {
  const app = express().use((_request, response) => void response.send("here"));
  const server = await listen(app, { port: 0 });
  const { sent } = await sendOnAndOn(server.url, head(line, "", chunked));
  expect(sent).toBeLessThan(50_000_000);
  await server.close();
});

/** Sends a body without end. The client reads only the answer at the end. */
async function sendOnAndOn(url: string, headOfIt: string): Promise<{ answer: string; sent: number }> {
  const socket = openSocket(url);
  const ended = untilEnd(socket);
  socket.write(headOfIt);
  const chunk = Buffer.alloc(65_536, " ");
  let sent = 0;
  while (socket.writable && sent < 200_000_000) {
    socket.write(`${chunk.length.toString(16)}\r\n`);
    socket.write(chunk);
    if (!socket.write("\r\n")) await new Promise((resolve) => socket.once("drain", resolve).once("close", resolve));
    sent += chunk.length;
  }
  socket.destroy();
  return { answer: await ended, sent };
}
