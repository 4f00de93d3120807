/**
 * Limits how many connections a server has open, and divides them among client addresses. When all are open, a new one takes the place of
 * one of the address that has the most, so no address can keep another out. Behind a proxy all have the proxy's address: its least
 * recently used connection is closed, and never one with a request in flight.
 */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../limits/client-address.ts";
import { currentOn } from "./one-at-a-time.ts";

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
