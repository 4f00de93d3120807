/**
 * Cuts off clients that do not read an answer. Node's own time-out restarts with each byte from the client. By sending a little now and
 * then, a client could keep an answer in our memory for as long as it likes.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";

/** What a client must take of an answer within its time, unless less is left. */
const minBytes = 16_384;
const checksInThatTime = 4;

type Reading = { taken: number; at: number };

/** @param withinMs how long a client may go without taking 16 KiB of its answer */
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
