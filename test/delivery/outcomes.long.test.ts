/** What endpoints do, and how it is put on record. */

import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type AttemptRow, type Outbox, openOutbox } from "../support/outbox.ts";
import { selfSigned } from "../support/self-signed.ts";

const timeoutMs = 5_000;
const asked: string[] = [];
const answers: Record<string, RequestListener> = {
  "/204": (_, response) => response.writeHead(204).end(),
  "/299": (_, response) => response.writeHead(299).end("fine"),
  "/early": (_, response) => {
    response.writeEarlyHints({ link: "</a>; rel=preload" });
    response.writeHead(200).end();
  },
  "/404": (_, response) => response.writeHead(404).end("no such thing"),
  "/500": (_, response) => response.writeHead(500).end("a\0b"),
  "/redirect": (_, response) => response.writeHead(302, { location: "/204" }).end(),
  "/hang": () => {},
  "/hang-body": (_, response) => void response.writeHead(200).write("begun"),
  "/hang-500": (_, response) => void response.writeHead(500).write("begun"),
  "/trickle": (request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("."), 20);
    request.socket.on("close", () => clearInterval(timer));
  },
  "/endless": (_, response) => {
    const write = () => {
      while (!response.destroyed && response.write("x".repeat(8_000)));
    };
    response.on("drain", write);
    write();
  },
  "/endless-500": (request, response) => {
    response.statusCode = 500;
    answers["/endless"]?.(request, response);
  },
  "/umlauts": (_, response) => response.writeHead(400).end("ä".repeat(2_000)),
  "/bomb": (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
  "/reset": (request) => request.socket.resetAndDestroy(),
  "/close": (request) => request.socket.destroy(),
  "/reset-later": (request, response) => {
    response.writeHead(200, { "content-length": "100" }).write("begun");
    setTimeout(() => request.socket.resetAndDestroy(), 20);
  },
  "/reset-later-500": (request, response) => {
    response.writeHead(500, { "content-length": "100" }).write("begun");
    setTimeout(() => request.socket.resetAndDestroy(), 20);
  },
  "/reset-after": (request, response) => {
    response.writeHead(200, { "content-length": "4" }).write("done");
    setTimeout(() => request.socket.resetAndDestroy(), 20);
  },
};
const bomb = gzipSync(Buffer.alloc(20_000_000));

let outbox: Outbox;
const servers: (Server | TcpServer)[] = [];
let http: number;
let tls: number;
let noise: number;

async function listen(server: Server | TcpServer, host = "127.0.0.1"): Promise<number> {
  servers.push(server);
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  outbox = await openOutbox();
  http = await listen(
    createServer((request, response) => {
      asked.push(request.url ?? "");
      request.resume().on("end", () => answers[request.url ?? ""]?.(request, response));
    }),
  );
  tls = await listen(createTlsServer(selfSigned, (_, response) => response.end()));
  noise = await listen(createTcpServer((socket) => socket.on("error", () => {}).write("SSH-2.0-OpenSSH_9.9\r\n")));
  outbox.deliver({ timeoutMs });
});
afterAll(async () => {
  await outbox.close();
  for (const server of servers) {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  }
});

/** 2xx responses with bodies that break HTTP's rules. */
const oddBodies = [
  ["204 No Content\r\ncontent-length: 5", "hello"],
  ["204 No Content\r\ncontent-length: 5", ""],
  ["204 No Content\r\ntransfer-encoding: chunked", "5\r\nhello\r\n0\r\n\r\n"],
  ["205 Reset Content\r\ncontent-length: 5", "hello"],
  ["200 OK\r\ncontent-length: 2", "too long"],
  ["200 OK\r\ntransfer-encoding: chunked", "no chunk"],
] as const;

/** A server that sends these bytes for each request. */
function answering(bytes: string): TcpServer {
  return createTcpServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.write(bytes));
  });
}

/** One notification to this url, and the attempt that comes of it. */
async function attemptAt(url: string, from = outbox): Promise<AttemptRow> {
  const webhook = await from.addWebhook(url);
  await from.append([webhook]);
  return eventually(async () => {
    const [attempt] = await from.attempts(webhook);
    if (!attempt) throw new Error(`no attempt at ${url} yet`);
    expect(attempt).toMatchObject({ sequence: 1, number: 1 });
    return attempt;
  });
}

const at = (path: string) => attemptAt(`http://127.0.0.1:${http}${path}`);

test("any status from 200 to 299 is a success, also after early hints", async () => {
  expect(await at("/204")).toMatchObject({ status: 204, error: null, body: null });
  expect(await at("/299")).toMatchObject({ status: 299, error: null, body: "fine" });
  expect(await at("/early")).toMatchObject({ status: 200, error: null });
});

test("any other status is a failure; the answer is kept, with NUL replaced", async () => {
  expect(await at("/404")).toMatchObject({ status: 404, error: "bad_status", body: "no such thing" });
  expect(await at("/500")).toMatchObject({ status: 500, error: "bad_status", body: "a\uFFFDb" });
});

test("a redirect is not followed", async () => {
  asked.length = 0;
  expect(await at("/redirect")).toMatchObject({ status: 302, error: "bad_status" });
  expect(asked).toEqual(["/redirect"]);
});

test("the whole exchange has one deadline; without a 2xx by then it is a timeout", async () => {
  const attempts = await Promise.all(["/hang", "/hang-500", "/hang-body", "/trickle"].map(at));
  expect(attempts.map(({ error, status }) => [error, status])).toEqual([
    ["timeout", null],
    ["timeout", 500],
    [null, 200],
    [null, 200],
  ]);
  for (const { durationMs } of attempts) {
    expect(durationMs).toBeGreaterThanOrEqual(timeoutMs - 5);
    expect(durationMs).toBeLessThan(timeoutMs + 30_000);
  }
});

test("16 KiB of an endless answer are read and 1 KiB is kept; its status counts", async () => {
  const [fine, failed] = await Promise.all(["/endless", "/endless-500"].map(at));
  expect(fine).toMatchObject({ status: 200, error: null, body: "x".repeat(1024) });
  expect(failed).toMatchObject({ status: 500, error: "bad_status", body: "x".repeat(1024) });
});

test("a character that the limit cuts in two is replaced", async () => {
  const odd = await at("/umlauts");
  expect(Buffer.byteLength(odd.body ?? "")).toBeLessThanOrEqual(1026);
  expect(odd.body?.slice(0, 512)).toBe("ä".repeat(512));
});

test("a compressed answer is not inflated", async () => {
  const { status, error, body } = await at("/bomb");
  expect({ status, error }).toEqual({ status: 200, error: null });
  expect(body?.length).toBeLessThanOrEqual(1024);
  expect(body?.charCodeAt(0)).toBe(0x1f);
});

test("a connection that breaks before the headers, or within the body of an error, is a broken connection", async () => {
  expect(await at("/reset")).toMatchObject({ status: null, error: "connection_reset" });
  expect(await at("/close")).toMatchObject({ status: null, error: "connection_reset" });
  expect(await at("/reset-later-500")).toMatchObject({ status: 500, error: "connection_reset", body: "begun" });
});

test("a 2xx is a success once its headers have arrived, whatever its body", async () => {
  expect(await at("/reset-later")).toMatchObject({ status: 200, error: null, body: "begun" });
  const attempts = oddBodies.map(async ([head, body]) => {
    const url = `http://127.0.0.1:${await listen(answering(`HTTP/1.1 ${head}\r\n\r\n${body}`))}/`;
    expect(await attemptAt(url), head).toMatchObject({ status: Number(head.slice(0, 3)), error: null });
  });
  await Promise.all(attempts);
});

test("a connection that breaks after the whole answer changes nothing", async () => {
  expect(await at("/reset-after")).toMatchObject({ status: 200, error: null, body: "done" });
});

test("an answer that is not HTTP is one that says so, and is kept", async () => {
  expect(await attemptAt(`http://127.0.0.1:${noise}/`)).toMatchObject({
    ...{ status: null, error: "invalid_response" },
    body: "SSH-2.0-OpenSSH_9.9\r\n",
  });
});

test("a port where nobody listens refuses the connection", async () => {
  const server = createTcpServer();
  const port = await listen(server);
  server.close();
  expect(await attemptAt(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: "connection_refused" });
});

test("an untrusted certificate and a port without TLS are TLS errors, whatever the environment", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  expect(await attemptAt(`https://127.0.0.1:${tls}/`)).toMatchObject({ status: null, error: "tls_error" });
  expect(await attemptAt(`https://127.0.0.1:${http}/204`)).toMatchObject({ status: null, error: "tls_error" });
  vi.unstubAllEnvs();
});
