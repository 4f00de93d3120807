/** Listens for requests. Stops listening without cutting off the requests in flight. */
import { once } from "node:events";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Express } from "express";
import { createHttpServer } from "../../base/servers.ts";
import { dropUnread } from "../../contract/body/read-bytes.ts";
import { type ErrorStatus, errorBody, reasonPhrases } from "../../contract/errors.ts";
import { refusedFor } from "../limits/overload.ts";
import { networkOf } from "../limits/turns.ts";
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

/**
 * How many of an address's connections are candidates to close, the least recently used first. Mostly, more than the requests in flight
 * cannot be busy; and a flood of connections must not cost a search through all of them each time.
 */
const maxCandidates = 128;

/** Closes connections of a server beyond `max`. */
function limitConnections(server: Server, max: number): void {
  /** Each address's connections, those used least recently first. */
  const byAddress = new Map<string, Set<Socket>>();
  const addressOf = new Map<Socket, Set<Socket>>();

  const forget = (socket: Socket, address: string): void => {
    if (!addressOf.delete(socket)) return;
    const sockets = byAddress.get(address);
    sockets?.delete(socket);
    if (sockets?.size === 0) byAddress.delete(address);
  };

  server.on("connection", (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? "");
    const own = byAddress.get(address) ?? new Set();
    const isFull = addressOf.size >= max;
    byAddress.set(address, own.add(socket));
    addressOf.set(socket, own);
    socket.once("close", () => forget(socket, address));
    if (!isFull) return;
    const [greedy, sockets] = greediest(byAddress);
    const evicted = (sockets && cheapest(sockets)) ?? socket;
    forget(evicted, evicted === socket ? address : greedy);
    evicted.destroy();
  });
  server.on("request", ({ socket }: IncomingMessage) => {
    const sockets = addressOf.get(socket);
    if (sockets?.delete(socket)) sockets.add(socket);
  });
}

function greediest(byAddress: ReadonlyMap<string, Set<Socket>>): [string, Set<Socket> | undefined] {
  let found: [string, Set<Socket> | undefined] = ["", undefined];
  for (const [address, sockets] of byAddress) if (sockets.size > (found[1]?.size ?? 0)) found = [address, sockets];
  return found;
}

/** @returns the connection that costs the least to close */
function cheapest(sockets: ReadonlySet<Socket>): Socket | undefined {
  let found: Socket | undefined;
  let least = Number.POSITIVE_INFINITY;
  let left = maxCandidates;
  for (const socket of sockets) {
    const cost = costOfClosing(socket);
    if (cost < least) [found, least] = [socket, cost];
    left -= 1;
    if (least === 0 || left === 0) break;
  }
  return found;
}

/** 0 before a request's head is complete, 1 while its body arrives, 2 while its answer waits for its reader; infinite in between. */
function costOfClosing(socket: Socket): number {
  const current = currentOn(socket);
  if (!current) return 0;
  if (current.writableEnded) return 2;
  return current.req.complete ? Number.POSITIVE_INFINITY : 1;
}

/** A connection with this many waiting requests is not read any further. */
const maxWaiting = 16;

type Line = { current: ServerResponse | undefined; waiting: [IncomingMessage, ServerResponse][] };

const lines = new WeakMap<Duplex, Line>();

/** The response to the request that a connection is sending, or waits for. */
function currentOn(socket: Duplex): ServerResponse | undefined {
  return lines.get(socket)?.current;
}

/**
 * Node hands out all requests that a client pipelines at the same time, though their answers must go out in order. One connection could
 * cause any amount of work, and hold all of it in memory by not reading. Here a request begins when the answer before it has been sent. A
 * waiting request costs its few bytes and no work. Calls `answer` with the requests of each connection in turn.
 */
function oneAtATime(answer: RequestListener): RequestListener {
  const begin = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.current = response;
    response.once("close", () => next(line, request.socket));
    answer(request, response);
  };
  const next = (line: Line, socket: Socket): void => {
    line.current = undefined;
    // Nobody reads these answers any more.
    if (socket.destroyed) line.waiting = [];
    const [first, ...waiting] = line.waiting;
    line.waiting = waiting;
    if (!first) return;
    if (waiting.length < maxWaiting) socket.resume();
    begin(line, ...first);
  };
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { current: undefined, waiting: [] };
    lines.set(socket, line);
    if (!line.current) return begin(line, request, response);
    line.waiting.push([request, response]);
    if (line.waiting.length >= maxWaiting) socket.pause();
  };
}
