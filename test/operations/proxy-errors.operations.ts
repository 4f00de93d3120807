/** The proxies of deploy/ by themselves: what they answer to what is no request, and what a dead process or machine costs. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect as connectPlain, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatMap } from "../../scripts/command/cells/map-forms.ts";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { assertError } from "../support/contract-check.ts";
import { freePort } from "../support/free-port.ts";
import { endAll } from "../support/shell.ts";
import { type CellProxy, type ProxyName, startProxy } from "./cell-proxies.ts";
import { type Authority, makeAuthority } from "./certificates.ts";
import { httpsCall } from "./https-call.ts";

const names = ["haproxy", "nginx"] as const;
const tags = { a: "0".repeat(12), b: "1".repeat(12) };

let folder: string;
let ca: Authority;
let api: Server;
let taken: Socket[] = [];
const proxies = new Map<ProxyName, CellProxy>();
let version = "";
let endSilent = (): void => undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-operations-"));
  ca = await makeAuthority(folder);
  // Stands for the processes that are alive: which proxy calls whom is what is seen here.
  api = createServer((_, response) => response.setHeader("content-type", "application/json").end("{}"));
  api.listen(0, "127.0.0.1");
  await once(api, "listening");
  const { port } = api.address() as AddressInfo;
  const [dead, silent] = [await freePort(), await openSilentPort()];
  // In cell a a process is dead; in cell b a machine is, which does not answer at all.
  const hosts = { "10.0.1.11": port, "10.0.1.12": dead, "10.0.2.11": silent, "10.0.2.12": port };
  const addresses = Object.fromEntries(Object.entries(hosts).map(([host, to]) => [`${host}:3000`, `127.0.0.1:${to}`]));
  const map = new Map(Object.entries(tags).map(([cell, tag]) => [tag, cell]));
  await writeFile(join(folder, "cells.map"), formatMap(map, "haproxy"));
  await writeFile(join(folder, "nginx.map"), formatMap(map, "nginx"));
  for (const name of names) proxies.set(name, await startProxy(name, { folder, authority: ca, addresses }));
  version = (await promisify(execFile)("haproxy", ["-v"])).stdout;
});
afterAll(async () => {
  for (const socket of taken) socket.destroy();
  endSilent();
  await endAll();
  api.closeAllConnections();
  api.close();
  await rm(folder, { recursive: true });
});

/** A port on which nobody accepts and whose queue is full, so that connections to it are neither opened nor refused. */
async function openSilentPort(): Promise<number> {
  const port = await freePort();
  const script = `require("net").createServer().listen({ port: ${port}, host: "127.0.0.1", backlog: 1 }, () => console.log("open"))`;
  const child = spawn(process.execPath, ["-e", script], { detached: true });
  const janitor = await sharedJanitor();
  janitor.watchGroup(child.pid ?? 0);
  // A process that is stopped does not end by any other signal.
  endSilent = () => {
    child.kill("SIGKILL");
    janitor.forgetGroup(child.pid ?? 0);
  };
  await once(child.stdout, "data");
  child.kill("SIGSTOP");
  for (let opened = true; opened; ) {
    const socket = connectPlain(port, "127.0.0.1").on("error", () => undefined);
    taken = [...taken, socket];
    opened = await Promise.race([
      once(socket, "connect").then(() => true),
      new Promise<false>((resolve) => setTimeout(() => resolve(false), 500)),
    ]);
  }
  return port;
}

async function ask(name: ProxyName, cell: "a" | "b", method = "GET"): Promise<number | undefined> {
  const headers = { "x-service-api-key": `cwk_${tags[cell]}_${"0".repeat(72)}`, "content-type": "application/json" };
  const sent = { method, path: "/v1/webhooks", headers, ...(method === "POST" && { body: "{}" }) };
  return (await httpsCall(proxies.get(name)?.port ?? 0, ca.cert, sent)).status;
}

/** Sends bytes, and reads until the proxy closes. */
async function send(name: ProxyName, bytes: string, { plain = false } = {}): Promise<string> {
  const where = { host: "127.0.0.1", port: proxies.get(name)?.port ?? 0 };
  const socket = plain ? connectPlain(where) : connect({ ...where, rejectUnauthorized: false });
  socket.on("error", () => undefined).write(bytes);
  return text(socket).catch(() => "");
}

function parse(answer: string) {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const pairs = fields.map((field): [string, string] => [
    field.slice(0, field.indexOf(":")),
    field.slice(field.indexOf(":") + 1),
  ]);
  return { status: Number(line.split(" ")[1]), headers: new Headers(pairs), body: JSON.parse(body) };
}

test("both proxies start with their configurations", async () => {
  for (const name of names)
    await expect
      .poll(() => ask(name, "a"), { timeout: 20_000, message: proxies.get(name)?.complaints() ?? "" })
      .toBe(200);
});

const host = "Host: localhost\r\n";
const malformed = [
  ["no HTTP at all", "hello\r\n\r\n"],
  ["a header without a name", `GET / HTTP/1.1\r\n${host}: x\r\n\r\n`],
  ["two hosts", `GET / HTTP/1.1\r\n${host}Host: other\r\n\r\n`],
  ["an unknown coding", `POST / HTTP/1.1\r\n${host}Transfer-Encoding: foo\r\n\r\n`],
  ["a negative length", `POST / HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`],
  ["two lengths", `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
  ["CONNECT", `CONNECT x:1 HTTP/1.1\r\n${host}\r\n`],
] as const;

/** See the comment in haproxy.cfg. */
const hasFixedTexts = () => /version (2\.|3\.[01]|3\.2\.[0-2]\b)/.test(version);

test.each(malformed)(
  "%s gets a 400 of the contract's shape from both, but for older HAProxy's own text",
  async (_, bytes) => {
    assertError(parse(await send("nginx", bytes)), 400);
    const answer = await send("haproxy", bytes);
    if (hasFixedTexts()) expect(answer).toMatch(/^HTTP\/1\.1 400 .*\r\n[\s\S]*<html>/i);
    else assertError(parse(answer), 400);
  },
);

test("nginx answers whatever else it refuses by itself in the contract's shape", async () => {
  assertError(parse(await send("nginx", `GET / HTTP/3.9\r\n${host}\r\n`)), 400);
  assertError(parse(await send("nginx", `GET / HTTP/1.1\r\n${host}\r\n`, { plain: true })), 400);
  assertError(parse(await send("nginx", `TRACE / HTTP/1.1\r\n${host}\r\n`)), 405);
  assertError(parse(await send("nginx", `GET /_proxy/503 HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)), 404);
  assertError(parse(await send("nginx", `GET / HTTP/1.1\r\n${host}A: ${"x".repeat(40_000)}\r\n\r\n`)), 431);
});

describe.each(names)("%s", (name) => {
  test("a dead process costs no request, and no time", async () => {
    const began = performance.now();
    for (let n = 0; n < 50; n += 1) expect(await ask(name, "a", n % 2 === 0 ? "GET" : "POST")).toBe(200);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test("a dead machine costs no request", async () => {
    const asked = Array.from({ length: 20 }, (_, n) => ask(name, "b", n % 2 === 0 ? "GET" : "POST"));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
    for (let n = 0; n < 20; n += 1) expect(await ask(name, "b", n % 2 === 0 ? "GET" : "POST")).toBe(200);
  });
});
