/** Endpoints are reached through the operator's proxy, only at addresses that were checked, and whose failure is not the endpoint's is said. */
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDialer, type Dialer, type ProxyFailure } from "../../server/delivery/send/dialer.ts";
import { beginExchange, type Outcome } from "../../server/delivery/send/exchange.ts";
import type { EgressProxy } from "../../server/settings/config.ts";
import { eventually } from "../support/eventually.ts";
import { type NameServer, startNameServer } from "../support/name-server.ts";
import { selfSigned } from "../support/self-signed.ts";

let closing: (() => unknown)[];
let failures: ProxyFailure[];
beforeEach(() => {
  closing = [];
  failures = [];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

async function listening(server: { listen(port: number, host: string): unknown; address(): unknown }): Promise<number> {
  const sockets = new Set<Socket>();
  (server as Server).on("connection", (socket) => {
    sockets.add(socket.on("error", () => undefined).once("close", () => sockets.delete(socket)));
  });
  await once(server.listen(0, "127.0.0.1") as Server, "listening");
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    (server as Server).close();
  });
  return (server.address() as AddressInfo).port;
}

type Asked = { to: string | undefined; credentials: string | undefined };

/**
 * A proxy as they are: it connects, says so, and passes bytes on.
 *
 * @param options.answer in place of connecting
 * @param options.before its answer, byte by byte
 * @param options.leadsTo where it connects to, whatever it is asked for
 */
async function startProxy(options: { answer?: string; before?: string; leadsTo?: number; secure?: boolean } = {}) {
  const asked: Asked[] = [];
  /** The names of the headers that it got itself. */
  const got = new Set<string>();
  const server = options.secure ? createHttpsServer(selfSigned) : createHttpServer();
  server.on("connect", (request: IncomingMessage, client: Socket, first: Buffer) => {
    client.on("error", () => undefined);
    for (const name of Object.keys(request.headers)) got.add(name);
    asked.push({ to: request.url, credentials: request.headers["proxy-authorization"] });
    if (options.answer !== undefined) {
      client.end(options.answer);
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const upstream = connect(
      options.leadsTo ?? Number(port || 80),
      options.leadsTo ? "127.0.0.1" : hostname,
      async () => {
        for (const byte of options.before ?? "") {
          client.write(byte);
          await setImmediate();
        }
        client.write("HTTP/1.1 200 Connection established\r\nvia: a proxy\r\n\r\n");
        upstream.write(first);
        upstream.pipe(client).pipe(upstream);
      },
    );
    upstream.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
    client.on("close", () => upstream.destroy());
  });
  const port = await listening(server);
  return { asked, got, port, url: `http${options.secure ? "s" : ""}://127.0.0.1:${port}` };
}

async function startEndpoint(secure = false) {
  const seen = { connections: 0, bodies: [] as string[], headers: [] as unknown[] };
  const answer = async (request: IncomingMessage) => {
    let body = "";
    for await (const part of request) body += part;
    seen.bodies.push(body);
    seen.headers.push(request.headers["x-test"]);
  };
  const server = secure ? createHttpsServer(selfSigned) : createHttpServer();
  server.on("connection", () => {
    seen.connections += 1;
  });
  server.on("request", (request, response) => void answer(request).then(() => response.end("taken")));
  return Object.assign(seen, { port: await listening(server) });
}

function dialerBy(egressProxy: EgressProxy, more: Partial<Parameters<typeof createDialer>[0]> = {}): Dialer {
  const onProxyFailure = (failure: ProxyFailure) => void failures.push(failure);
  const dialer = createDialer({ allowPrivateTargets: true, egressProxy, onProxyFailure, ...more });
  closing.push(() => dialer.destroy());
  return dialer;
}

function post(dialer: Dialer, origin: string, timeoutMs = 60_000): Promise<Outcome | undefined> {
  const request = { headers: ["x-test", "1"], body: Buffer.from(`{"to":"${origin}"}`) };
  return new Promise((resolve) => beginExchange(dialer, { origin, path: "/hooks" }, request, timeoutMs, resolve));
}

test("an endpoint is reached through the proxy, and the tunnel is kept for the next notification", async () => {
  const [endpoint, proxy] = [await startEndpoint(), await startProxy()];
  const dialer = dialerBy({ url: proxy.url.replace("//", "//acme:p%40ss@"), resolvesNames: false });
  for (let n = 0; n < 3; n += 1)
    expect(await post(dialer, `http://127.0.0.1:${endpoint.port}`)).toMatchObject({ status: 200, body: "taken" });
  expect(endpoint.bodies.length).toBe(3);
  const credentials = `Basic ${Buffer.from("acme:p@ss").toString("base64")}`;
  expect(proxy.asked).toEqual([{ to: `127.0.0.1:${endpoint.port}`, credentials }]);
  // What a webhook's requests have is for its endpoint only.
  expect([...proxy.got]).toEqual(["host", "proxy-authorization"]);
  expect(endpoint.headers).toEqual(["1", "1", "1"]);
  expect(endpoint.connections).toBe(1);
  expect(failures).toEqual([]);
});

test("a proxy may say first that it is on it", async () => {
  const endpoint = await startEndpoint();
  const before = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n";
  for (const proxy of [await startProxy({ before }), await startProxy({ before: `${before}${before}`.repeat(20) })]) {
    const dialer = dialerBy({ url: proxy.url, resolvesNames: false });
    expect(await post(dialer, `http://127.0.0.1:${endpoint.port}`)).toMatchObject({ status: 200 });
  }
  expect(failures).toEqual([]);
});

test("TLS goes through the tunnel, so that the endpoint's certificate is checked here", async () => {
  const [endpoint, proxy] = [await startEndpoint(true), await startProxy()];
  const dialer = dialerBy({ url: proxy.url, resolvesNames: false });
  expect(await post(dialer, `https://127.0.0.1:${endpoint.port}`)).toMatchObject({ errorClass: "tls_error" });
  // Plain HTTP to a port that speaks TLS.
  expect(await post(dialer, `http://127.0.0.1:${endpoint.port}`)).toMatchObject({ errorClass: "tls_error" });
  expect(endpoint.bodies).toEqual([]);
  expect(failures).toEqual([]);
});

const names = async (): Promise<NameServer> => {
  const server = await startNameServer();
  closing.push(() => server.close());
  return server;
};

test("the proxy is asked for an address that was checked, and never for a private one", async () => {
  const [endpoint, nameServer] = [await startEndpoint(), await names()];
  const proxy = await startProxy({ leadsTo: endpoint.port });
  const dialer = dialerBy(
    { url: proxy.url, resolvesNames: false },
    { allowPrivateTargets: false, nameServers: [nameServer.address] },
  );
  nameServer.names.set("hooks.acme.com", [{ a: ["93.184.215.14"], aaaa: ["2606:2800::1"] }]);
  nameServer.names.set("six.acme.com", [{ aaaa: ["2606:2800::1"] }]);
  nameServer.names.set("inside.acme.com", [{ a: ["93.184.215.14", "10.0.0.1"] }]);
  // Public when it is asked for first, private afterwards.
  nameServer.names.set("rebound.acme.com", [{ a: ["93.184.215.14"] }, { a: ["127.0.0.1"] }]);
  for (const host of ["hooks.acme.com", "six.acme.com:8080", "rebound.acme.com:81"])
    expect(await post(dialer, `http://${host}`)).toMatchObject({ status: 200 });
  expect(proxy.asked.map(({ to }) => to)).toEqual(["93.184.215.14:80", "[2606:2800::1]:8080", "93.184.215.14:81"]);
  expect(await post(dialer, "http://inside.acme.com")).toMatchObject({ errorClass: "blocked_address" });
  expect(await post(dialer, "http://nothing.acme.com")).toMatchObject({ errorClass: "dns_error" });
  expect(await post(dialer, "http://localhost")).toMatchObject({ errorClass: "blocked_address" });
  expect(proxy.asked.length).toBe(3);
  expect(failures).toEqual([]);
});

test("a proxy that resolves names is asked for them, and nobody else is", async () => {
  const [endpoint, nameServer] = [await startEndpoint(), await names()];
  const proxy = await startProxy({ leadsTo: endpoint.port });
  const dialer = dialerBy(
    { url: proxy.url, resolvesNames: true },
    { allowPrivateTargets: false, nameServers: [nameServer.address] },
  );
  expect(await post(dialer, "http://hooks.acme.com:8080")).toMatchObject({ status: 200 });
  expect(proxy.asked.map(({ to }) => to)).toEqual(["hooks.acme.com:8080"]);
  expect(nameServer.asked).toEqual([]);
});

test.each<[string, string, ProxyFailure[]]>([
  ["HTTP/1.1 403 Forbidden\r\n\r\n", "blocked_address", []],
  ["HTTP/1.0 502 Bad Gateway\r\ncontent-length: 4\r\n\r\nno\r\n", "connection_refused", []],
  ["HTTP/1.1 503 Service Unavailable\r\n\r\n", "connection_refused", []],
  ["HTTP/1.1 504 Gateway Timeout\r\n\r\n", "timeout", []],
  ["HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "connection_refused", ["credentials"]],
  ["SSH-2.0-OpenSSH_9.2\r\n\r\n", "connection_refused", ["invalid_response"]],
  [`HTTP/1.1 200 OK\r\nx: ${"x".repeat(20_000)}`, "connection_refused", ["invalid_response"]],
  ["HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", "invalid_response", []],
  ["", "connection_reset", []],
])("a proxy's %j is %s", async (answer, errorClass, own) => {
  const proxy = await startProxy({ answer });
  const dialer = dialerBy({ url: proxy.url, resolvesNames: false });
  for (const origin of ["http://127.0.0.1:9", "https://127.0.0.1:9"]) {
    const outcome = await post(dialer, origin);
    expect(outcome).toMatchObject({ errorClass });
    // It is no endpoint's answer.
    expect(outcome?.status).toBeUndefined();
  }
  expect(failures).toEqual([...own, ...own]);
});

test("a proxy that is away, or speaks no TLS where it should, is said to be unreachable", async () => {
  const gone = createTcpServer();
  const port = await listening(gone);
  gone.close();
  const plain = await startProxy();
  const untrusted = await startProxy({ secure: true });
  for (const url of [`http://127.0.0.1:${port}`, `https://127.0.0.1:${plain.port}`, untrusted.url])
    expect(await post(dialerBy({ url, resolvesNames: false }), "https://127.0.0.1:9")).toMatchObject({
      errorClass: "connection_refused",
    });
  expect(failures).toEqual(["unreachable", "unreachable", "unreachable"]);
});

test("a proxy that never answers costs one time limit, and its connection is closed", async () => {
  const open = new Set<Socket>();
  const silent = createTcpServer((socket) => void open.add(socket.once("close", () => open.delete(socket)).resume()));
  const dialer = dialerBy({ url: `http://127.0.0.1:${await listening(silent)}`, resolvesNames: false });
  expect(await post(dialer, "http://127.0.0.1:9", 300)).toMatchObject({ errorClass: "timeout" });
  await eventually(() => expect(open.size).toBe(0));
  // The proxy was there; whether the endpoint is, nobody knows.
  expect(failures).toEqual([]);
});

test("a tunnel that breaks while it is kept is replaced", async () => {
  const [endpoint, proxy] = [await startEndpoint(), await startProxy()];
  const dialer = dialerBy({ url: proxy.url, resolvesNames: false });
  const origin = `http://127.0.0.1:${endpoint.port}`;
  expect(await post(dialer, origin)).toMatchObject({ status: 200 });
  expect(await post(dialer, origin)).toMatchObject({ status: 200 });
  expect(proxy.asked.length).toBe(1);
  await dialer.destroy();
  expect(await post(dialer, origin)).toMatchObject({ status: 200 });
  expect(proxy.asked.length).toBe(2);
});

test("a proxy that goes on talking after its refusal keeps no connection open", async () => {
  const open = new Set<Socket>();
  let tunnels = 0;
  const talking = createTcpServer((socket) => {
    open.add(socket.once("close", () => open.delete(socket)));
    tunnels += 1;
    // The endpoint closes without a word, so another tunnel shows whether it speaks TLS.
    if (tunnels === 1) {
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\n\r\n", () => socket.once("data", () => socket.end())));
      return;
    }
    socket.once("data", () => socket.write("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
    const timer = setInterval(() => socket.write("."), 100);
    socket.once("close", () => clearInterval(timer));
  });
  const dialer = dialerBy({ url: `http://127.0.0.1:${await listening(talking)}`, resolvesNames: false });
  expect(await post(dialer, "http://127.0.0.1:9")).toMatchObject({ errorClass: "connection_reset" });
  expect(tunnels).toBe(2);
  await eventually(() => expect(open.size).toBe(0));
});
