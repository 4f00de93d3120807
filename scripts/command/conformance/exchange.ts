/** Sends requests to the server under examination, and keeps every exchange, byte for byte. */
import { setTimeout as wait } from "node:timers/promises";
import { Agent, type Dispatcher, request } from "undici";
import type { OperationId } from "../../../generated/operations.ts";
import { parseRetryAfter } from "../../../server/retry-after.ts";
import type { Json } from "../../document/json.ts";
import { operationOf } from "./contract.ts";

/** A request to send: the path begins with /v1. */
export type Outgoing = {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body?: Buffer | string | undefined;
};

/** A request and its outcome. */
export type Exchange = {
  /** What asked for it, such as `workflow update, step rename`. */
  by: string;
  request: Outgoing;
  operation: OperationId | undefined;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** The body as JSON; undefined where it is none. */
  json: Json | undefined;
};

/** What keeps the exchanges. */
export type Recorder = {
  exchanges: Exchange[];
  /** Waits and sends again where the answer is 429, which is on record too. @throws when no answer comes */
  send(outgoing: Outgoing, by: string): Promise<Exchange>;
  close(): Promise<void>;
};

const timeoutMs = 30_000;
const longestWaitMs = 20_000;
const mostTries = 5;

/** @param baseUrl of the server; may have its own path. @param signal aborts what is in flight */
export function createRecorder(baseUrl: URL, signal: AbortSignal): Recorder {
  const base = baseUrl.href.replace(/\/+$/, "");
  const exchanges: Exchange[] = [];
  // Shorter than servers keep a connection, so that none is closed while a request is on its way.
  const dispatcher = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 });

  async function once({ method, path, headers, body }: Outgoing, by: string): Promise<Exchange> {
    const answer = await request(base + path, {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers,
      ...(body !== undefined && { body }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const exchange: Exchange = {
      by,
      request: { method, path, headers, body },
      operation: operationOf(method, path),
      status: answer.statusCode,
      headers: answer.headers,
      body: bytes,
      json: parseJson(bytes),
    };
    exchanges.push(exchange);
    return exchange;
  }

  return {
    exchanges,
    async send(outgoing, by) {
      for (let tries = 1; ; tries += 1) {
        const exchange = await once(outgoing, by);
        if (exchange.status !== 429 || tries === mostTries) return exchange;
        const { "retry-after": retryAfter } = exchange.headers;
        const askedMs = parseRetryAfter(retryAfter?.toString(), Date.now()) ?? 1_000;
        await wait(Math.min(askedMs, longestWaitMs), undefined, { signal });
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** The JSON of a body; undefined where it is none, or not in UTF-8. */
export function parseJson(body: Buffer): Json | undefined {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as Json;
  } catch {
    return undefined;
  }
}

/** Whether no answer came, or none that is HTTP. */
export function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === "TimeoutError" || ("code" in error && /^(E[A-Z]+|HPE_\w+|UND_ERR_\w+)$/.test(String(error.code)))
  );
}
