/**
 * Stands between the service and its node, or for a node altogether: forwards JSON-RPC and head announcements, keeps the calls,
 * and answers otherwise where a test wishes.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A call as it came. */
export type RpcCall = { method: string; params: unknown[] };

type RpcRequest = RpcCall & { id: unknown };

/** What a call is answered with: as JSON-RPC, as any other HTTP response, or by cutting the connection. */
export type RpcAnswer =
  | { result: unknown }
  | { error: { code: number; message: string } }
  | { status: number; text: string; headers?: Record<string, string> }
  | "cut";

export type RpcProxy = {
  url: string;
  wsUrl: string;
  /** The node that it forwards to; without one it must answer all by itself. */
  upstream: string | undefined;
  /** Whether it cuts every connection, as if there was nobody. */
  down: boolean;
  /** Every call that came while it was up. */
  calls: RpcCall[];
  /** How many calls each batch had. */
  batches: number[];
  refusesBatches: boolean;
  count(method: string): number;
  /** How to answer from now on; by default as the node does. */
  answer: (call: RpcCall, forward: () => Promise<RpcAnswer>) => RpcAnswer | Promise<RpcAnswer>;
  /** Changes the text of every answer. */
  change: (text: string) => string;
  /** The sockets that heads are announced on. */
  sockets: Set<Socket>;
  close(): Promise<void>;
};

/** @param upstream the node's HTTP address */
export async function startRpcProxy(upstream?: string): Promise<RpcProxy> {
  const server = createServer((request, response) => void respond(request, response).catch(() => response.destroy()));
  server.on("upgrade", (request: IncomingMessage, socket: Socket) => announce(request, socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: RpcProxy = {
    url: `http://${host}`,
    wsUrl: `ws://${host}`,
    upstream,
    down: false,
    calls: [],
    batches: [],
    refusesBatches: false,
    count: (method) => proxy.calls.filter((call) => call.method === method).length,
    answer: (_, forward) => forward(),
    change: (text) => text,
    sockets: new Set(),
    async close() {
      for (const socket of proxy.sockets) socket.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return proxy;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (proxy.down) return void response.destroy();
    const asked = JSON.parse(body) as RpcRequest | RpcRequest[];
    if (Array.isArray(asked) && proxy.refusesBatches) return void response.writeHead(400).end("no batches");
    if (Array.isArray(asked)) proxy.batches.push(asked.length);
    const answers = await Promise.all(
      [asked].flat().map(async ({ id, method, params }) => {
        proxy.calls.push({ method, params });
        const one = JSON.stringify({ jsonrpc: "2.0", id, method, params });
        return { id, answer: await proxy.answer({ method, params }, () => forward(proxy.upstream, one)) };
      }),
    );
    if (answers.some(({ answer }) => answer === "cut")) return void response.destroy();
    // What is no JSON-RPC answer is one for the whole batch.
    const [other] = answers.flatMap(({ answer }) => isHttp(answer));
    if (other) return void response.writeHead(other.status, other.headers).end(other.text);
    const reported = answers.map(({ id, answer }) => ({ jsonrpc: "2.0", id, ...(answer as object) }));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(proxy.change(JSON.stringify(Array.isArray(asked) ? reported : reported[0])));
  }

  /** What comes after the handshake is passed on as it is. */
  function announce(request: IncomingMessage, socket: Socket): void {
    socket.on("error", () => undefined);
    if (proxy.down || !proxy.upstream) return void socket.destroy();
    const { hostname, port } = new URL(proxy.upstream);
    const onward = connect(Number(port), hostname);
    const headers = request.rawHeaders.flatMap((name, at, all) => (at % 2 ? [] : [`${name}: ${all[at + 1]}\r\n`]));
    onward.write(`GET / HTTP/1.1\r\n${headers.join("")}\r\n`);
    onward.on("error", () => undefined).on("close", () => socket.destroy());
    socket.on("close", () => onward.destroy() && proxy.sockets.delete(socket));
    socket.pipe(onward).pipe(socket);
    proxy.sockets.add(socket);
  }
}

const isHttp = (answer: RpcAnswer) => (typeof answer === "object" && "status" in answer ? [answer] : []);

async function forward(upstream: string | undefined, body: string): Promise<RpcAnswer> {
  if (!upstream) throw new Error("There is no node behind this proxy.");
  const response = await fetch(upstream, { method: "POST", headers: { "content-type": "application/json" }, body });
  return (await response.json()) as RpcAnswer;
}
