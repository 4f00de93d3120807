/**
 * Cuts off who does not read an answer. Node's own time-out begins again with each byte that the client sends, so a client that sends a
 * little now and then could keep an answer, and its memory, for as long as it likes.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";

/** So much of an answer must be taken within the time that a client has, unless less is left. */
const leastBytes = 16_384;
const looksInThatTime = 4;

type Reading = { taken: number; at: number };

/** @param withinMs how long a client may go without taking 16 KiB of what was written for it */
export function cutUnread(server: Server, withinMs: number): void {
  const open = new Map<Socket, Reading | undefined>();
  server.on("connection", (socket: Socket) => {
    open.set(socket, undefined);
    socket.once("close", () => open.delete(socket));
  });
  const looking = setInterval(() => {
    const now = performance.now();
    for (const [socket, before] of open) {
      if (socket.writableLength === 0) {
        if (before) open.set(socket, undefined);
        continue;
      }
      const taken = takenBytes(socket);
      if (!before || taken - before.taken >= leastBytes) open.set(socket, { taken, at: now });
      else if (now - before.at >= withinMs) socket.destroy();
    }
  }, withinMs / looksInThatTime);
  looking.unref();
  server.once("close", () => clearInterval(looking));
}

/**
 * How much the system has taken of all that was written. `bytesWritten` counts a large buffer as soon as its writing begins; what is left of
 * it only the handle knows. Node's own time-outs go by the same figure. Without it, progress shows only from buffer to buffer.
 */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number; bytesWritten?: number } | null };
  return (handle?.bytesWritten ?? socket.bytesWritten - socket.writableLength) - (handle?.writeQueueSize ?? 0);
}
