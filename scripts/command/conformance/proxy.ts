/**
 * Stands between `respect` and the server, so that what is examined is what went over the wire, and not what another program
 * tells of it.
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createHttpServer } from "../../../server/base/servers.ts";
import { createAccess } from "../local-access.ts";
import type { ExchangeRecorder, RecordedExchange } from "./exchange.ts";

/** A running proxy. */
export type Proxy = {
  url: string;
  /** What it has passed back, in that order. */
  passed: RecordedExchange[];
  close(): Promise<void>;
};

// Of one connection, and not of the message; RFC 9110, 7.6.1. The length is set again.
const ofTheConnection = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "host", "expect"]);

/** Starts it on a free port of this machine. @param by recorded with each exchange */
export async function startProxy(recorder: ExchangeRecorder, by: string): Promise<Proxy> {
  const passed: RecordedExchange[] = [];
  // If the server does not answer, `send` throws, and the proxy does not answer either.
  const access = createAccess();
  const server = createHttpServer(async (request, response) => {
    if (access.refusalOf(request)) return void response.writeHead(403).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const outgoing = { method: request.method ?? "", path: request.url ?? "", headers: own(request.headers), body };
    const answer = await recorder.send(outgoing, by);
    passed.push(answer);
    response.writeHead(answer.status, withPlainType(own(answer.headers))).end(answer.body);
  });
  // On a busy machine, `respect` can pause for longer than the default of 5 s, and its next request would find a closed connection.
  server.keepAliveTimeout = 300_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function own(headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> {
  const entries = Object.entries(headers).filter(([name, value]) => value !== undefined && !ofTheConnection.has(name));
  return Object.fromEntries(entries) as Record<string, string | string[]>;
}

/** The case of a media type means nothing (RFC 9110, 8.3.1), but `respect` takes only one case for JSON. */
function withPlainType(headers: Record<string, string | string[]>): Record<string, string | string[]> {
  const type = headers["content-type"];
  const isJson = typeof type === "string" && /^application\/json\s*(;|$)/i.test(type);
  return isJson ? { ...headers, "content-type": "application/json" } : headers;
}
