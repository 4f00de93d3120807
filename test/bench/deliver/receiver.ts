/**
 * An endpoint that costs as little as one can, as a process of its own: it reads each request whole, answers 204 and counts. What
 * comes to `/hang` is never answered. The messages "reset" and "tally" reset its counts and ask for them.
 */
import { type AddressInfo, createServer, type Socket } from "node:net";

/** What has arrived since the last reset. */
export type Tally = {
  requests: number;
  /** Of what was recorded while it was watched: from there to here, in ms. */
  latencies: number[];
};

const tally: Tally = { requests: 0, latencies: [] };
const answer = Buffer.from("HTTP/1.1 204 No Content\r\n\r\n");
const endOfHead = Buffer.from("\r\n\r\n");
const recordedAt = Buffer.from('"recordedAtMs":');

function serve(socket: Socket): void {
  let held: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (let length = requestLength(held); length > 0 && length <= held.length; length = requestLength(held)) {
      take(socket, held.subarray(0, length));
      held = held.subarray(length);
    }
  });
}

/** @returns how long the request at the beginning is with its body; 0 while that is not known */
function requestLength(bytes: Buffer): number {
  const end = bytes.indexOf(endOfHead);
  if (end < 0) return 0;
  const [, length = "0"] = /\r\ncontent-length: (\d+)/i.exec(bytes.toString("latin1", 0, end)) ?? [];
  return end + endOfHead.length + Number(length);
}

function take(socket: Socket, request: Buffer): void {
  const hangs = request.toString("latin1", 0, 10) === "POST /hang";
  if (hangs) return;
  tally.requests += 1;
  const at = request.indexOf(recordedAt);
  if (at > 0) {
    const from = Number.parseFloat(request.toString("latin1", at + recordedAt.length, at + recordedAt.length + 17));
    tally.latencies.push(Date.now() - from);
  }
  socket.write(answer);
}

const server = createServer(serve);
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", (message) => {
  if (message === "tally") process.send?.({ tally });
  if (message === "reset") Object.assign(tally, { requests: 0, latencies: [] });
});
process.on("disconnect", () => process.exit(0));
