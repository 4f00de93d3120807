/** Listening, and stopping without cutting off requests in flight. */
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen } from "../../../server/api/listening/listen.ts";
import { type Api, startApi } from "../../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test("a stopping server finishes requests in flight, refuses new ones, and closes soon", async () => {
  const app = express();
  let finish = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    app.get("/slow", (_request, response) => {
      finish = () => void response.send("done");
      resolve();
    });
  });
  const server = await listen(app, { port: 0 });
  const agent = new Agent({ keepAlive: true });
  const idle = request(`${server.url}/nothing`, { agent }).end();
  const [answer] = await once(idle, "response");
  answer.resume();
  const slow = fetch(`${server.url}/slow`);
  await arrived;
  const closed = server.close();
  await expect(fetch(`${server.url}/nothing`)).rejects.toThrow();
  finish();
  expect(await (await slow).text()).toBe("done");
  const started = performance.now();
  await closed;
  expect(performance.now() - started).toBeLessThan(4_000);
  agent.destroy();
});

test("on a connection that is still open, a stopping API answers 503", async () => {
  const stopping = await startApi();
  const socket = connect(Number(new URL(stopping.url).port), "127.0.0.1");
  // The first request keeps the connection busy while the server begins to stop; the second one follows on it.
  socket.write(`POST /v1/webhooks HTTP/1.1\r\nhost: a\r\nx-service-api-key: ${stopping.keys.both}\r\n`);
  socket.write("content-type: application/json\r\ncontent-length: 2\r\n\r\n{");
  while (!(await stopping.pool.query("SELECT FROM api_keys WHERE last_used_at IS NOT NULL")).rowCount);
  const closed = stopping.close();
  socket.write("}GET /v1/chains HTTP/1.1\r\nhost: a\r\n\r\nGET /readyz HTTP/1.1\r\nhost: a\r\n\r\n");
  let answers = "";
  for await (const chunk of socket) answers += chunk;
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 503"]);
  expect(answers).toContain("The server is stopping; try again in 5 seconds.");
  await closed;
});

test("a port in use is an error", async () => {
  await expect(listen(express(), { port: Number(new URL(api.url).port) })).rejects.toThrow(/EADDRINUSE/);
});
