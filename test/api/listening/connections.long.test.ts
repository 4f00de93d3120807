/** Whoever opens all the connections there are keeps nobody out, and costs nobody else a connection. */
import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import express from "express";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Listening, listen } from "../../../server/api/listening/listen.ts";
import { untilEnd } from "../../support/raw-http.ts";

const connections = 40;
const other = "127.0.0.2";
let server: Listening;
let finish: () => void;
let begun: Promise<void>;
let open: Socket[] = [];
beforeEach(async () => {
  const app = express();
  app.get("/quick", (_request, response) => void response.send("quick"));
  app.get("/large", (_request, response) => void response.send(Buffer.alloc(8_000_000)));
  app.post("/body", express.raw(), (_request, response) => void response.send("read"));
  begun = new Promise((resolve) => {
    app.get("/slow", (_request, response) => {
      finish = () => void response.send("done");
      resolve();
    });
  });
  // Nobody is cut off for being slow here, on a busy machine either.
  const patience = { headersTimeout: 300_000, requestTimeout: 300_000, keepAliveTimeout: 300_000, timeout: 300_000 };
  server = await listen(app, { port: 0, connections, patience });
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  open = [];
  await server.close();
});

function openFrom(localAddress: string): Socket {
  const socket = connect({ port: server.port, host: "127.0.0.1", localAddress }).on("error", () => undefined);
  open.push(socket);
  return socket;
}

async function take(count: number, sent: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => openFrom(other).pause());
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  for (const socket of sockets) socket.write(sent);
  return sockets;
}

/** @returns what is answered to a request on a connection of its own */
function get(path: string, localAddress: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(`${server.url}${path}`, { agent: false, localAddress }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve(text);
    })
      .on("error", reject)
      .end();
  });
}

const head = "HTTP/1.1\r\nhost: a\r\n";
test.each([
  ["nothing", ""],
  ["half a head", `GET /quick ${head}`],
  ["half a body", `POST /body ${head}content-length: 9\r\ncontent-type: application/octet-stream\r\n\r\n1`],
  ["requests whose answers it does not read", `GET /large ${head}\r\n`.repeat(5)],
])("others are served, on the connections that they have too, while one sends %s on all there are", async (_, sent) => {
  const kept = openFrom("127.0.0.1");
  await once(kept, "connect");
  await take(connections * 2, sent);
  for (let n = 0; n < 10; n += 1) expect(await get("/quick", "127.0.0.1")).toBe("quick");
  kept.write(`GET /quick ${head}connection: close\r\n\r\n`);
  expect(await untilEnd(kept)).toMatch(/^HTTP\/1\.1 200 /);
});

test("behind one proxy the longest idle connection is closed, never one with a request in flight", async () => {
  const slow = get("/slow", other);
  await begun;
  const quick = async (socket: Socket) => {
    socket.write(`GET /quick ${head}\r\n`);
    const [answer] = await once(socket.resume(), "data");
    return String(answer);
  };
  const [first, second, ...more] = await take(connections - 1, "");
  if (!first || !second) throw new Error("there are no connections");
  // One after the other, the first one last.
  for (const socket of [second, ...more, first]) await quick(socket);
  const closed = once(second, "close");
  await Promise.all((await take(connections / 2, "")).map(quick));
  await closed;
  expect(await quick(first)).toMatch(/^HTTP\/1\.1 200 /);
  finish();
  expect(await slow).toBe("done");
});
