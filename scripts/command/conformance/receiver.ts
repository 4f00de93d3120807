/** An endpoint that keeps what it receives, byte for byte, and answers as configured. */
import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { createHttpServer } from "../../../server/base/servers.ts";
import { sentByPage } from "../local-access.ts";

/** A request as it arrived. */
export type ReceivedDelivery = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** When its last byte arrived, in milliseconds since the epoch. */
  receivedAt: number;
};

/** How to answer, and after which pause, or to close the connection instead. */
export type EndpointAnswer =
  | { status: number; headers?: Record<string, string>; body?: string; pauseMs?: number }
  | "close";

/** A running receiver. */
export type Receiver = {
  url: string;
  deliveries: ReceivedDelivery[];
  /** The messageIds that the server reported. */
  reported: Set<unknown>;
  /** Whether the test of an operational webhook has arrived. */
  hasEvent: boolean;
  /** How to answer from now on, by path. */
  answer: (path: string) => EndpointAnswer;
  close(): Promise<void>;
};

const mostBytes = 16 * 1024 * 1024;

/** @throws when it cannot listen there */
export async function startReceiver({ host, port }: { host: string; port: number }): Promise<Receiver> {
  const server = createHttpServer(async (request, response) => {
    if (sentByPage(request)) return response.writeHead(403).end();
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request) {
      bytes += (chunk as Buffer).byteLength;
      if (bytes > mostBytes) return response.destroy();
      chunks.push(chunk as Buffer);
    }
    const { method = "", url: path = "", headers } = request;
    receiver.deliveries.push({ method, path, headers, body: Buffer.concat(chunks), receivedAt: Date.now() });
    const answer = receiver.answer(path);
    if (answer === "close") return response.destroy();
    const { status, headers: own = {}, body = "", pauseMs } = answer;
    if (pauseMs !== undefined) await wait(pauseMs);
    return response.writeHead(status, own).end(body);
  });
  server.on("clientError", (_error, socket) => void socket.destroy());
  server.listen(port, host);
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    deliveries: [],
    reported: new Set(),
    hasEvent: false,
    answer: () => ({ status: 204 }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return receiver;
}
