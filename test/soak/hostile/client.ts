/** A client without a key, at an address of its own, that sends what no client should, and does not read what comes back. */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import type { Acts } from "./acts.ts";

/** All of 127.0.0.0/8 is this machine, so that limits by client address tell it from the others. */
const ownAddress = "127.0.0.2";
const heldMs = 5_000;
const pipelined = 20;

/** Starts to do it, until the acts end. @param dice gives a whole number below its argument */
export function startHostileClient(url: string, dice: (below: number) => number, acts: Acts): void {
  const host = new URL(url);
  const bomb = gzipSync(`[${'"",'.repeat(340_000)}""]`);
  const head = (first: string, ...more: string[]) => [first, `Host: ${host.host}`, ...more, "", ""].join("\r\n");
  const post = (path: string, ...more: string[]) =>
    head(`POST ${path} HTTP/1.1`, "Content-Type: application/json", ...more);
  const wrongKey = () => `x-service-api-key: cwk_${randomBytes(32).toString("hex")}`;

  /** Opens a connection, and closes it after a while unless the server does. */
  function open(use: (socket: Socket) => void, ms = heldMs): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ host: host.hostname, port: Number(host.port), localAddress: ownAddress });
      const timer = setTimeout(() => socket.destroy(), ms);
      socket
        .on("error", () => undefined)
        .on("close", () => {
          clearTimeout(timer);
          resolve();
        });
      socket.once("connect", () => use(socket));
    });
  }

  /** Sends bytes and reads the answer. */
  const send = (bytes: string | Buffer) => open((socket) => socket.resume().write(bytes));
  /** Sends a part of some bytes, or all of them, and resets the connection at some moment. */
  const reset = (text: string) =>
    open((socket) => {
      socket.write(text.slice(0, 1 + dice(text.length)));
      setTimeout(() => socket.resetAndDestroy(), dice(20));
    });

  const brief: Record<string, () => Promise<unknown>> = {
    "resets a request": () => reset(`${post("/v1/webhooks", "Content-Length: 2")}{}`),
    "resets a CONNECT": () => reset(head("CONNECT a:1 HTTP/1.1")),
    "resets an upgrade": () => reset(head("GET / HTTP/1.1", "Connection: Upgrade", "Upgrade: websocket")),
    "tries a key": () => send(head("GET /v1/webhooks HTTP/1.1", wrongKey(), "Connection: close")),
    "sends a gzip bomb": () =>
      send(
        Buffer.concat([
          Buffer.from(post("/v1/webhooks", wrongKey(), "Content-Encoding: gzip", `Content-Length: ${bomb.length}`)),
          bomb,
        ]),
      ),
    "sends a body where none belongs": () =>
      send(Buffer.concat([Buffer.from(post("/x", "Content-Encoding: gzip", `Content-Length: ${bomb.length}`)), bomb])),
  };
  const held: Record<string, () => Promise<unknown>> = {
    "sends half a request": () => open((socket) => socket.write(post("/v1/webhooks", "Content-Length: 100"))),
    "pipelines and does not read": () =>
      open((socket) => socket.pause().write(head("GET /openapi.json HTTP/1.1").repeat(pipelined))),
  };
  acts.repeat(brief, { everyMs: 200, atOnce: 8, dice });
  acts.repeat(held, { everyMs: 250, atOnce: 16, dice });
}
