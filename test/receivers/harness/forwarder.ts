/** Stands between the service and a receiver: passes each delivery on as it came, and keeps it. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What a notification is on the wire. */
export type Sent = { headers: Readonly<Record<string, string>>; body: Buffer };

export type Forwarder = {
  /** What the webhook has as its url. */
  url: string;
  /** Where the receiver listens. */
  target: string;
  /** What the service sent, with the receiver's answer. */
  deliveries: (Sent & { status: number })[];
  /** Waits for as many deliveries. @returns the last of them */
  waitFor(count: number): Promise<Sent & { status: number }>;
  close(): Promise<void>;
};

/** How long a receiver may take for its first notification, on a busy machine. */
const patienceMs = 60_000;

/**
 * Over a connection of its own: one that is used again may be ended by the receiver at the same moment, which would look like a refusal.
 *
 * @returns the status of the answer; 0 if the receiver ended the connection instead
 */
export async function post(target: string, { headers, body }: Sent): Promise<number> {
  // What it cannot send any more once it is answered is no failure.
  const sending = request(target, { method: "POST", headers, agent: false }).on("error", () => undefined);
  try {
    sending.end(body);
    const [response] = (await once(sending, "response")) as [IncomingMessage];
    await once(response.resume(), "end");
    return response.statusCode ?? 0;
  } catch {
    return 0;
  }
}

/** Begins to send, and never ends. */
export async function sendHalf(target: string, { headers, body }: Sent): Promise<Socket> {
  const { hostname, port, pathname } = new URL(target);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  await once(socket, "connect");
  const lines = Object.entries({ host: hostname, "content-length": body.length, ...headers });
  socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  socket.write(body.subarray(0, body.length / 2));
  return socket;
}

export async function startForwarder(): Promise<Forwarder> {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const names = Object.keys(incoming.headers).filter((name) => /^(webhook-|content-type$|user-agent$)/.test(name));
    const headers = Object.fromEntries(names.map((name) => [name, String(incoming.headers[name])]));
    const sent = { headers, body: Buffer.concat(chunks) };
    const status = await post(forwarder.target, sent);
    forwarder.deliveries.push({ ...sent, status });
    response.writeHead(status || 502).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const forwarder: Forwarder = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    target: "",
    deliveries: [],
    async waitFor(count) {
      const deadline = performance.now() + patienceMs;
      for (;;) {
        const found = forwarder.deliveries[count - 1];
        if (found) return found;
        if (performance.now() > deadline)
          throw new Error(`${forwarder.deliveries.length} of ${count} deliveries came.`);
        await sleep(20);
      }
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return forwarder;
}
