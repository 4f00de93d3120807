/**
 * Limits how many connections a server has open, and divides them among client addresses. When all are open, a new one takes the place of
 * one of the address that has the most, so no address can keep another out. Behind a proxy all have the proxy's address: its least
 * recently used connection is closed, and never one with a request in flight.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { networkOf } from "../limits/turns.ts";

/**
 * How many of an address's connections are candidates to close, the least recently used first. Mostly, more than the requests in flight
 * cannot be busy; and a flood of connections must not cost a search through all of them each time.
 */
const maxCandidates = 128;

/** Closes connections of a server beyond `max`. */
export function limitConnections(server: Server, max: number): void {
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
export function currentOn(socket: Duplex): ServerResponse | undefined {
  return lines.get(socket)?.current;
}

/**
 * Node hands out all requests that a client pipelines at the same time, though their answers must go out in order. One connection could
 * cause any amount of work, and hold all of it in memory by not reading. Here a request begins when the answer before it has been sent. A
 * waiting request costs its few bytes and no work. Calls `answer` with the requests of each connection in turn.
 */
export function oneAtATime(answer: RequestListener): RequestListener {
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
