/** Listens for requests, and stops listening without cutting off those under way. */
import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Express } from "express";
import { dropUnread } from "../contract/body-bytes.ts";
import { type ErrorStatus, errorBody, reasonPhrases } from "../contract/errors.ts";
import { createHttpServer } from "../servers.ts";
import { boundConnections } from "./connection-room.ts";
import { currentOn, oneAtATime } from "./one-at-a-time.ts";
import { refusedFor } from "./overload.ts";
import { refuse } from "./refuse.ts";
import { setStopping } from "./stopping.ts";
import { cutUnread } from "./unread-answers.ts";
import { notHttp, requestFault } from "./well-formed.ts";

/**
 * How long a connection may take, in ms: to send a request's headers, and the whole of it; to stay without a request; to wait for an answer;
 * and not to take any of an answer. The third is longer than the minute that load balancers keep an idle connection for, so that they end it
 * and not we.
 */
const patience = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  timeout: 70_000,
  unread: 10_000,
};
/** What is not the API has few clients. */
const connectionsUnlessGiven = 1_000;
const requestsOnAConnection = 10_000;
const patienceMs = 10_000;

/** A server that listens. */
export type Listening = {
  /** Such as `http://127.0.0.1:3000`. */
  url: string;
  port: number;
  /** From now on answers 503 to its API and to /readyz, and goes on listening. */
  announceStop(): void;
  /**
   * Takes no more connections, lets requests under way finish, and answers 503 to any that follow. What is still open
   * after 10 seconds is cut off.
   */
  close(): Promise<void>;
};

/**
 * Listens.
 *
 * @param options.port 0 for any that is free
 * @param options.host the address to listen on; 127.0.0.1 unless given
 * @param options.connections so many are open at most; beyond, an idle one of the address with the most is closed
 * @param options.patience how long connections may take
 * @throws when the port is taken
 */
export async function listen(
  app: Express,
  options: { port: number; host?: string; connections?: number; patience?: Partial<typeof patience> },
): Promise<Listening> {
  const { port, host = "127.0.0.1", connections = connectionsUnlessGiven } = options;
  const { timeout, unread, ...timeouts } = { ...patience, ...options.patience };
  const checkedEveryMs = Math.min(2_000, timeouts.headersTimeout / 2);
  // Node would itself refuse what has no host, expects what it does not know, or wants a tunnel: without a body, or without a word.
  const server = createHttpServer(oneAtATime(taking(app)), {
    ...timeouts,
    connectionsCheckingInterval: checkedEveryMs,
    requireHostHeader: false,
  });
  server.timeout = timeout;
  server.maxRequestsPerSocket = requestsOnAConnection;
  boundConnections(server, connections);
  cutUnread(server, unread);
  server.on("connect", (_request, socket) => refuseRaw(socket, 400, "The method must not be CONNECT."));
  server.on("clientError", refuseUnreadable);
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
      closing ??= close(server);
      return closing;
    },
  };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // A connection becomes idle when its request has been answered, and would otherwise wait for the next one.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

/** Gives a request to the app, unless it is none that the app could read, or the app has too much in hand. */
function taking(app: Express): RequestListener {
  return (request, response) => {
    dropUnread(request, response);
    const fault = requestFault(request);
    if (fault !== undefined) refuse(response, { status: 400, message: fault }, { connection: "close" });
    else if (!refusedFor(app, request, response)) app(request, response);
  };
}

/** Answers what is no HTTP request, or never became a whole one, and ends the connection; after what is still to be answered on it. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const current = currentOn(socket);
  if (current?.req.complete) current.once("close", () => refuseUnreadable(error, socket));
  else if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
  else refuseRaw(socket, ...unreadable(error.code));
}

/**
 * Answers where there is no response to answer with, and ends the connection. Who does not take the answer either is cut off all the
 * same.
 */
function refuseRaw(socket: Duplex, status: ErrorStatus, message: string): void {
  const body = JSON.stringify(errorBody({ status, message }));
  socket.end(
    `HTTP/1.1 ${status} ${reasonPhrases[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), 1_000).unref();
}

function unreadable(code: string | undefined): [ErrorStatus, string] {
  if (code === "HPE_HEADER_OVERFLOW") return [431, "The request line and headers must be at most 16 KiB."];
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "The request must arrive within 30 seconds."];
  return [400, notHttp];
}
