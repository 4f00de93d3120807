/** Listens for requests. Stops listening without cutting off the requests in flight. */
import { once } from "node:events";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Express } from "express";
import { createHttpServer } from "../../base/servers.ts";
import { dropUnread } from "../../contract/body/read-bytes.ts";
import { type ErrorStatus, errorBody, reasonPhrases } from "../../contract/errors.ts";
import { refusedFor } from "../limits/overload.ts";
import { currentOn, limitConnections, oneAtATime } from "./connection-limit.ts";
import { headersWithoutRequest, isPreflight } from "./cors.ts";
import { refuseConnection, setStopping } from "./refuse.ts";

/**
 * How long a connection may take, in ms: to send a request's headers, and the whole request; to stay without a request; to wait for an
 * answer; and to take nothing of an answer. The third is longer than the minute for which load balancers keep an idle connection: they
 * must be the ones to close it.
 */
const patience = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  timeout: 70_000,
  unread: 10_000,
};
/** The mock, the docs and the metrics have few clients. */
const defaultConnections = 1_000;
const requestsPerConnection = 10_000;

export type Listening = {
  /** Such as `http://127.0.0.1:3000`. */
  url: string;
  port: number;
  /** From now on answers 503 to its API and to /readyz, and goes on listening. */
  announceStop(): void;
  /**
   * Takes no more connections, lets the requests in flight finish, and answers 503 to any that follow. After 10 seconds it
   * cuts off what is still open.
   */
  close(): Promise<void>;
};

/**
 * @param options.port 0 for any free one
 * @param options.host the address to listen on; 127.0.0.1 by default
 * @param options.connections how many may be open; beyond, it closes an idle one of the address with the most
 * @param options.patience how long connections may take
 * @param options.closingMs how long `close` waits for answers in flight
 * @throws when the port is taken
 */
export async function listen(
  app: Express,
  options: {
    port: number;
    host?: string;
    connections?: number;
    patience?: Partial<typeof patience>;
    closingMs?: number;
  },
): Promise<Listening> {
  const { port, host = "127.0.0.1", connections = defaultConnections, closingMs = 10_000 } = options;
  const { timeout, unread, ...timeouts } = { ...patience, ...options.patience };
  const checkedEveryMs = Math.min(2_000, timeouts.headersTimeout / 2);
  // Node itself would refuse a request without host, with an unknown expectation, or for a tunnel: without the contract's body.
  const server = createHttpServer(oneAtATime(admit(app)), {
    ...timeouts,
    connectionsCheckingInterval: checkedEveryMs,
    requireHostHeader: false,
  });
  server.timeout = timeout;
  server.maxRequestsPerSocket = requestsPerConnection;
  limitConnections(server, connections);
  cutSlowReaders(server, unread);
  const refuseRaw = rawRefusal(app);
  server.on("connect", (_request, socket) => refuseRaw(socket, 400, "The method must not be CONNECT."));
  server.on("clientError", (error, socket) => refuseUnreadable(error, socket, refuseRaw));
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    announceStop: () => setStopping(app),
    close: () => {
      setStopping(app);
      closing ??= close(server, closingMs);
      return closing;
    },
  };
}

async function close(server: Server, closingMs: number): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // A connection becomes idle when its request has been answered, and would otherwise wait for the next one.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), closingMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

/** Passes a request to the app, unless it is malformed, or the app is too busy. */
function admit(app: Express): RequestListener {
  return (request, response) => {
    dropUnread(request, response);
    const fault = requestFault(request);
    const preflight = isPreflight(app, request, response);
    if (fault !== undefined)
      refuseConnection(response, { status: 400, message: fault, headers: { connection: "close" } });
    else if (preflight) response.writeHead(204).end();
    else if (!refusedFor(app, request, response)) app(request, response);
  };
}

/** Answers what is no HTTP request, or never became a whole one, and ends the connection after any answer that is still due on it. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex, refuseRaw: RawRefusal): void {
  const current = currentOn(socket);
  if (current?.req.complete) current.once("close", () => refuseUnreadable(error, socket, refuseRaw));
  else if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
  else refuseRaw(socket, ...unreadable(error.code));
}

type RawRefusal = (socket: Duplex, status: ErrorStatus, message: string) => void;

/** Answers on a bare socket, and ends the connection, also where the client does not read the answer. */
function rawRefusal(app: Express): RawRefusal {
  return (socket, status, message) => {
    const body = JSON.stringify(errorBody({ status, message }));
    const headers = {
      Connection: "close",
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      ...headersWithoutRequest(app),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${reasonPhrases[status]}\r\n${lines.join("")}\r\n${body}`);
    setTimeout(() => socket.destroy(), 1_000).unref();
  };
}

function unreadable(code: string | undefined): [ErrorStatus, string] {
  if (code === "HPE_HEADER_OVERFLOW") return [431, "The request line and headers must be at most 16 KiB."];
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "The request must arrive within 30 seconds."];
  return [400, notHttp];
}

/** The message for what cannot be read as a request. */
export const notHttp = "The request must be valid HTTP.";

const wholeUrl = /^https?:\/\/[^/?#]*/i;

/**
 * Finds what Node lets through but two readers could understand in two ways, and what Express would answer in its own words.
 * Checks a request's version, host and target. A target that is a whole URL, as proxies send it, becomes its path.
 *
 * @returns the fault, in a sentence; undefined for a good request
 */
export function requestFault(request: IncomingMessage): string | undefined {
  const { httpVersion, headers, rawHeaders, url = "" } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return notHttp;
  if (httpVersion === "1.1" && headers.host === undefined) return "The header host is required.";
  if (countOf("host", rawHeaders) > 1) return "The header host must appear only once.";
  // OPTIONS asks about the whole server by "*".
  if (url.startsWith("/") || url === "*") return undefined;
  if (!wholeUrl.test(url) || !URL.canParse(url))
    return "The URL must be a path, or a whole one with http:// or https://.";
  request.url = url.replace(wholeUrl, "").replace(/^(?!\/)/, "/");
  return undefined;
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) count += 1;
  return count;
}

/** What a client must take of an answer within its time, unless less is left. */
const minBytes = 16_384;
const checksInThatTime = 4;

type Reading = { taken: number; at: number };

/**
 * Node's own time-out restarts with each byte from the client. By sending a little now and then, a client could keep an answer in our memory
 * for as long as it likes.
 *
 * @param withinMs how long a client may go without taking 16 KiB of its answer
 */
export function cutSlowReaders(server: Server, withinMs: number): void {
  const open = new Map<Socket, Reading | undefined>();
  server.on("connection", (socket: Socket) => {
    open.set(socket, undefined);
    socket.once("close", () => open.delete(socket));
  });
  const checking = setInterval(() => {
    const now = performance.now();
    for (const [socket, before] of open) {
      if (socket.writableLength === 0) {
        if (before) open.set(socket, undefined);
        continue;
      }
      const taken = takenBytes(socket);
      if (!before || taken - before.taken >= minBytes) open.set(socket, { taken, at: now });
      else if (now - before.at >= withinMs) socket.destroy();
    }
  }, withinMs / checksInThatTime);
  checking.unref();
  server.once("close", () => clearInterval(checking));
}

/**
 * How much the system has taken of all that was written. `bytesWritten` counts a large buffer as soon as its writing begins. Only the handle
 * knows how much of it is left; Node's own time-outs use the same figure. Without it, progress shows only from buffer to buffer.
 */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number; bytesWritten?: number } | null };
  return (handle?.bytesWritten ?? socket.bytesWritten - socket.writableLength) - (handle?.writeQueueSize ?? 0);
}
