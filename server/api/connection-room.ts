/**
 * Bounds how many connections a server has open, and divides that room among client addresses: when it is full, a new connection takes
 * the place of one of the address that has the most. So one address with all of them cannot keep another out. Behind a proxy all have the
 * proxy's address: what it has not used for the longest time is closed, and what is being worked on never is.
 */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "./client-address.ts";
import { currentOn } from "./one-at-a-time.ts";

/**
 * So many of an address's connections are looked at for one to close, those used least recently first. More cannot be in work than the
 * requests in hand, mostly; and a flood of connections must not have all of them looked through each time.
 */
const lookedAt = 128;

/** Closes connections of a server beyond `most`. */
export function boundConnections(server: Server, most: number): void {
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
    const isFull = addressOf.size >= most;
    byAddress.set(address, own.add(socket));
    addressOf.set(socket, own);
    socket.once("close", () => forget(socket, address));
    if (!isFull) return;
    const [greedy, sockets] = greediest(byAddress);
    const evicted = (sockets && closable(sockets)) ?? socket;
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

/** @returns the connection whose end costs the least */
function closable(sockets: ReadonlySet<Socket>): Socket | undefined {
  let found: Socket | undefined;
  let least = Number.POSITIVE_INFINITY;
  let left = lookedAt;
  for (const socket of sockets) {
    const cost = costOfClosing(socket);
    if (cost < least) [found, least] = [socket, cost];
    left -= 1;
    if (least === 0 || left === 0) break;
  }
  return found;
}

/** 0 without a whole head of a request, 1 while its body arrives, 2 while its answer waits for its reader; never while it is worked on. */
function costOfClosing(socket: Socket): number {
  const current = currentOn(socket);
  if (!current) return 0;
  if (current.writableEnded) return 2;
  return current.req.complete ? Number.POSITIVE_INFINITY : 1;
}
