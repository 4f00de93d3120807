/** An endpoint over real HTTP that keeps a ledger of every delivery and answers as a test wishes. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { AddressActivityNotification } from "../../client/receiver/index.ts";
import { patienceMs } from "./patience.ts";

/** A delivery as it arrived. */
export type Delivered = {
  path: string;
  headers: IncomingHttpHeaders;
  rawBody: string;
  notification: AddressActivityNotification;
  sequence: number;
  receivedAt: number;
  /** The address that it came from. */
  from: string;
  /** The status that went out; undefined as long as none has, or when the sender was gone before. */
  answered: number | undefined;
  /** When the exchange was over, by `performance.now()`. */
  endedAt: number | undefined;
};

export type Receiver = {
  url: string;
  /** Every delivery, in the order of arrival. */
  deliveries: Delivered[];
  /** How to answer from now on; 204 by default. */
  answer: (delivered: Delivered, response: ServerResponse) => void;
  /** Waits until the deliveries that a test looks for are there. @param timeoutMs for those that need not come @returns them */
  waitFor(count: number, wanted?: (delivered: Delivered) => boolean, timeoutMs?: number): Promise<Delivered[]>;
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const receivedAt = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const rawBody = Buffer.concat(chunks).toString("utf8");
    const delivered: Delivered = {
      path: request.url ?? "",
      headers: request.headers,
      rawBody,
      notification: JSON.parse(rawBody) as AddressActivityNotification,
      sequence: Number(request.headers["webhook-sequence"]),
      receivedAt,
      from: request.socket.remoteAddress ?? "",
      answered: undefined,
      endedAt: undefined,
    };
    response.on("finish", () => {
      delivered.answered = response.statusCode;
    });
    response.on("close", () => {
      delivered.endedAt = performance.now();
    });
    receiver.deliveries.push(delivered);
    receiver.answer(delivered, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliveries: [],
    answer: (_, response) => response.writeHead(204).end(),
    async waitFor(count, wanted = () => true, timeoutMs = patienceMs) {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const found = receiver.deliveries.filter(wanted);
        if (found.length >= count) return found;
        if (performance.now() > deadline)
          throw new Error(`${found.length} of ${count} deliveries came within ${timeoutMs} ms`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return receiver;
}
