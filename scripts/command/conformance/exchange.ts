/** Sends requests to the server under examination, and keeps every exchange, byte for byte. */
import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { Agent, type Dispatcher, request } from "undici";
import type { OperationId } from "../../../generated/operations.ts";
import { parseRetryAfter } from "../../../server/base/retry-after.ts";
import type { Json } from "../../document/json.ts";
import { operationOfUrl } from "./contract.ts";
import { createPatience, type Patience } from "./patience.ts";
import { gate } from "./together.ts";

/** A request to send: the path begins with /v1. */
export type OutgoingRequest = {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body?: Buffer | string | undefined;
  /** Of an answer that goes on for ever: reads no further once this holds of its text, and a few seconds at most. */
  until?: ((text: string) => boolean) | undefined;
};

/** A request and its outcome. */
export type RecordedExchange = {
  /** What asked for it, such as `workflow update, step rename`. */
  by: string;
  request: OutgoingRequest;
  operation: OperationId | undefined;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** The body as JSON; undefined where it is none. */
  json: Json | undefined;
};

/** What keeps the exchanges. */
export type ExchangeRecorder = {
  exchanges: RecordedExchange[];
  patience: Patience;
  /**
   * Waits and sends again where the answer is 429, or 503 with `Retry-After`, which are on record too.
   *
   * @throws when no answer comes, or the signal was aborted
   */
  send(outgoing: OutgoingRequest, by: string): Promise<RecordedExchange>;
  /** Waits until nothing is in flight. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

const firstAnswerMs = 120_000;
const answerMs = 30_000;
const streamedMs = 5_000;
// A request in flight may be creating something, so an aborted run still reads its answer.
const graceMs = 10_000;
// Enough that a slow server takes no longer than it must, and few enough for one that handles a request at a time.
const concurrent = 8;
const longestWaitMs = 60_000;
const mostTries = 10;
// For a server that is overloaded all the time, more would not help. One that is now and then is waited for each time.
const mostWaitsFor503 = 60;
const mostShareOf503 = 0.1;
// A server that hangs would otherwise hold the run for the deadline of each of its hundreds of requests.
const mostTimeouts = 20;
// Every exchange is kept until the report. The contract's largest page has 5 MB.
const mostBytes = 16 * 1024 * 1024;

/** @param baseUrl of the server; may have its own path. @param signal ends the run: nothing more is sent */
export function createExchangeRecorder(
  baseUrl: URL,
  signal: AbortSignal,
  patience = createPatience(),
): ExchangeRecorder {
  const base = baseUrl.href.replace(/\/+$/, "");
  const exchanges: RecordedExchange[] = [];
  const admitted = gate(concurrent);
  const inFlight = new Set<Promise<RecordedExchange>>();
  // Shorter than servers keep a connection, so that few are closed while a request is on its way.
  const keptConnections = new Agent({
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 1_000,
    maxResponseSize: mostBytes,
  });
  // Each request has a connection of its own.
  const freshConnections = new Agent({ pipelining: 0, maxResponseSize: mostBytes });
  const ended = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  let waitsFor503 = 0;
  let timeoutsInARow = 0;
  const end = () => {
    grace = setTimeout(() => ended.abort(signal.reason), graceMs);
  };
  // Every request that waits listens to it, and dozens wait for an overloaded server.
  setMaxListeners(0, signal);
  signal.addEventListener("abort", end, { once: true });

  async function once({ method, path, headers, body, until }: OutgoingRequest, by: string): Promise<RecordedExchange> {
    signal.throwIfAborted();
    if (timeoutsInARow >= mostTimeouts)
      throw new DOMException(`Not sent: the last ${mostTimeouts} requests timed out.`, "TimeoutError");
    const sentAt = performance.now();
    const operation = operationOfUrl(method, path);
    // A test waits for an endpoint.
    const isTest = operation === "testWebhook" || operation === "testOperationalWebhook";
    const endpointMs = isTest ? patience.forNotification() : 0;
    const limitMs = (exchanges.length === 0 ? firstAnswerMs : patience.scaled(answerMs)) + endpointMs;
    const deadline = AbortSignal.timeout(limitMs);
    const options = {
      dispatcher: keptConnections,
      method: method as Dispatcher.HttpMethod,
      headers,
      ...(body !== undefined && { body }),
      // A server that refuses a large body may close the connection, which the next request must not be on.
      reset: Buffer.byteLength(body ?? "") > 65_536,
      signal: AbortSignal.any([ended.signal, deadline]),
    };
    const read = until && { until, ms: patience.scaled(streamedMs) };
    const answer = await received(base + path, options, read)
      .catch((error: unknown) => {
        if (!isClosed(error) || !isRepeatable({ method, headers })) throw error;
        return received(base + path, { ...options, dispatcher: freshConnections }, read);
      })
      .catch((error: unknown) => {
        if (deadline.aborted) timeoutsInARow += 1;
        throw error;
      });
    timeoutsInARow = 0;
    if (!isTest && !until) patience.took(performance.now() - sentAt);
    const exchange: RecordedExchange = {
      by,
      request: { method, path, headers, body },
      operation,
      ...answer,
      json: jsonOrUndefined(answer.body),
    };
    exchanges.push(exchange);
    return exchange;
  }

  /** @returns how long to wait before the request is sent again; undefined where its answer counts */
  function busyMs({ status, headers }: RecordedExchange): number | undefined {
    const { "retry-after": retryAfter } = headers;
    const askedMs = parseRetryAfter(retryAfter?.toString(), Date.now());
    const most = Math.max(mostWaitsFor503, mostShareOf503 * exchanges.length);
    if (status === 503 && askedMs !== undefined && waitsFor503 < most) {
      waitsFor503 += 1;
      return Math.min(askedMs, longestWaitMs);
    }
    return status === 429 ? Math.min(askedMs ?? 1_000, longestWaitMs) : undefined;
  }

  return {
    exchanges,
    patience,
    async send(outgoing, by) {
      for (let tries = 1; ; tries += 1) {
        const sent = admitted(() => once(outgoing, by));
        inFlight.add(sent);
        const exchange = await sent.finally(() => inFlight.delete(sent));
        const waitMs = busyMs(exchange);
        if (waitMs === undefined || tries === mostTries) return exchange;
        await wait(waitMs, undefined, { signal });
      }
    },
    async idle() {
      await Promise.allSettled(inFlight);
    },
    async close() {
      clearTimeout(grace);
      signal.removeEventListener("abort", end);
      await Promise.all([keptConnections.destroy(), freshConnections.destroy()]);
    },
  };
}

/**
 * A server may close a connection that it has kept while a request is on its way, so only a new one shows that it does not answer. But it
 * may have done what was asked for: a creation that is sent again creates two, of which we know one, and hides that the first was not
 * answered. So what changes something is sent once (RFC 9110, 9.2.2). undici looks whether a connection was closed before it uses it again.
 */
function isRepeatable({ method, headers }: Pick<OutgoingRequest, "method" | "headers">): boolean {
  const hasKey = Object.keys(headers).some((name) => name.toLowerCase() === "idempotency-key");
  return hasKey || /^(GET|HEAD|OPTIONS)$/i.test(method);
}

type Received = Pick<RecordedExchange, "status" | "headers" | "body">;

async function received(
  url: string,
  options: Parameters<typeof request>[1],
  read?: { until: (text: string) => boolean; ms: number },
): Promise<Received> {
  const { statusCode: status, headers, body: stream } = await request(url, options);
  if (read) return { status, headers, body: await beginningOf(stream, read) };
  const body = Buffer.from(await stream.arrayBuffer());
  const { "content-encoding": encoding, ...others } = headers;
  const decoded = decode(body, String(encoding ?? "identity"));
  return decoded ? { status, headers: others, body: decoded } : { status, headers, body };
}

/** @returns what has come once it is enough, the stream has ended or failed, or the time is over */
async function beginningOf(
  stream: Dispatcher.ResponseData["body"],
  { until, ms }: { until: (text: string) => boolean; ms: number },
): Promise<Buffer> {
  let body = Buffer.alloc(0);
  const timer = setTimeout(() => stream.destroy(), ms);
  try {
    for await (const chunk of stream) {
      body = Buffer.concat([body, chunk]);
      if (until(body.toString("utf8"))) break;
    }
  } catch {
    // What was read before counts.
  } finally {
    clearTimeout(timer);
  }
  return body;
}

/** We accept any encoding by naming none (RFC 9110, 12.5.3), so a server may compress. @returns undefined for what cannot be decoded */
function decode(body: Buffer, encodings: string): Buffer | undefined {
  const limit = { maxOutputLength: mostBytes };
  try {
    // They stand in the order in which they were applied.
    return encodings.split(",").reduceRight((bytes, name) => {
      const encoding = name.trim().toLowerCase();
      if (encoding === "" || encoding === "identity" || bytes.length === 0) return bytes;
      if (encoding === "gzip" || encoding === "x-gzip") return gunzipSync(bytes, limit);
      if (encoding === "br") return brotliDecompressSync(bytes, limit);
      if (encoding !== "deflate") throw new Error(`an unknown encoding: ${encoding}`);
      // Some send it without the zlib header.
      return ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, limit) : inflateRawSync(bytes, limit);
    }, body);
  } catch {
    return undefined;
  }
}

/** The JSON of a body; undefined where it is none, not in UTF-8, or begins with a byte order mark (RFC 8259, 8.1). */
export function jsonOrUndefined(body: Buffer): Json | undefined {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)) as Json;
  } catch {
    return undefined;
  }
}

const isClosed = (error: unknown) =>
  error instanceof Error && "code" in error && /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(String(error.code));

/** Whether no answer came, or none that is HTTP. */
export function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === "TimeoutError" || ("code" in error && /^(E[A-Z]+|HPE_\w+|UND_ERR_\w+)$/.test(String(error.code)))
  );
}

/** The body as text, without the identifiers that stand in the request's path. */
export function withoutIds({ request: { path }, body }: RecordedExchange): string {
  const ids = path.match(/[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/g) ?? [];
  return ids.reduce((text, id) => text.replaceAll(id, "ID"), body.toString("utf8"));
}
