/** A proxy that is asked by TLS: with TLS inside, and where its TLS fails. */
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { syncBuiltinESMExports } from "node:module";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import tls from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createDialer, type Dialer, type ProxyFailure } from "../../server/delivery/send/dialer.ts";
import { beginExchange, type Outcome } from "../../server/delivery/send/exchange.ts";
import { selfSigned } from "../support/self-signed.ts";

// The dialer believes the authorities that the process knows. Here it also believes the test's own certificate.
const { connect: connectTls } = tls;
beforeAll(() => {
  const trusting = (options: tls.ConnectionOptions) => connectTls({ ca: selfSigned.cert, ...options });
  Object.assign(tls, { connect: trusting });
  syncBuiltinESMExports();
});
afterAll(() => {
  Object.assign(tls, { connect: connectTls });
  syncBuiltinESMExports();
});

let closing: (() => unknown)[];
let failures: ProxyFailure[];
beforeEach(() => {
  closing = [];
  failures = [];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => undefined).once("close", () => sockets.delete(socket)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function startProxy(): Promise<string> {
  const server = createHttpsServer(selfSigned);
  server.on("connect", (request: IncomingMessage, client: Socket) => {
    client.on("error", () => undefined);
    const [host, port] = (request.url ?? "").split(":");
    const upstream = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
  });
  return `https://127.0.0.1:${await listening(server)}`;
}

async function startEndpoint(secure: boolean) {
  const seen = { connections: 0, bytes: 0 };
  const server = secure ? createHttpsServer(selfSigned) : createHttpServer();
  server.on("connection", () => {
    seen.connections += 1;
  });
  server.on("request", async (request, response) => {
    for await (const part of request) seen.bytes += part.length;
    response.end("taken");
  });
  return Object.assign(seen, { origin: `http${secure ? "s" : ""}://127.0.0.1:${await listening(server)}` });
}

function dialerBy(url: string): Dialer {
  const dialer = createDialer({
    allowPrivateTargets: true,
    egressProxy: { url, resolvesNames: false },
    onProxyFailure: (failure) => void failures.push(failure),
  });
  closing.push(() => dialer.destroy());
  return dialer;
}

function post(dialer: Dialer, origin: string, body = Buffer.from("{}")): Promise<Outcome | undefined> {
  return new Promise((resolve) =>
    beginExchange(dialer, { origin, path: "/hooks" }, { headers: [], body }, 10_000, resolve),
  );
}

test.each([false, true])("large bodies go through, and the tunnel is kept: TLS inside %s", async (secure) => {
  const endpoint = await startEndpoint(secure);
  const dialer = dialerBy(await startProxy());
  const body = Buffer.alloc(5_000_000, "a");
  for (let n = 0; n < 2; n += 1)
    expect(await post(dialer, endpoint.origin, body)).toMatchObject({ status: 200, body: "taken" });
  expect(endpoint.bytes).toBe(2 * body.length);
  expect(endpoint.connections).toBe(1);
  expect(failures).toEqual([]);
});

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "a proxy that wants a client's certificate by %s fails itself",
  async (version) => {
    const options = { ...selfSigned, requestCert: true, minVersion: version, maxVersion: version };
    const port = await listening(tls.createServer(options));
    const dialer = dialerBy(`https://127.0.0.1:${port}`);
    for (const origin of ["http://127.0.0.1:9", "https://127.0.0.1:9"])
      expect(await post(dialer, origin)).toMatchObject({ errorClass: "connection_refused" });
    expect(failures).toEqual(["unreachable", "unreachable"]);
  },
);

/** Speaks TLS until it has heard something so often, then something else in the same connection, which stays open. */
async function startBreaking(hears: number, answer = ""): Promise<number> {
  const clients: Socket[] = [];
  const inner = await listening(
    tls.createServer(selfSigned, (socket) => {
      let heard = 0;
      socket.on("data", () => {
        heard += 1;
        if (heard < hears) socket.write(answer);
        else clients.at(-1)?.write("no TLS at all");
      });
    }),
  );
  return listening(
    createServer((client) => {
      clients.push(client);
      const upstream = connect(inner, "127.0.0.1").on("error", () => undefined);
      upstream.on("data", (bytes) => client.write(bytes));
      client.on("data", (bytes) => upstream.write(bytes));
      closing.push(() => upstream.destroy());
    }),
  );
}

test("an endpoint whose TLS breaks after the handshake has failed immediately", async () => {
  const dialer = createDialer({ allowPrivateTargets: true });
  closing.push(() => dialer.destroy());
  const outcome = await post(dialer, `https://127.0.0.1:${await startBreaking(1)}`);
  expect(outcome).toMatchObject({ errorClass: "tls_error" });
});

test.each(["http", "https"])("where the proxy's TLS breaks, an %s endpoint's is not at fault", async (scheme) => {
  const dialer = dialerBy(`https://127.0.0.1:${await startBreaking(2, "HTTP/1.1 200 OK\r\n\r\n")}`);
  expect(await post(dialer, `${scheme}://127.0.0.1:9`)).toMatchObject({ errorClass: "connection_reset" });
});
