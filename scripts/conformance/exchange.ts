/** Sends requests to the server under examination, and keeps every exchange, byte for byte. */
import { type Dispatcher, request } from "undici";
import type { OperationId } from "../../server/http/operation-types.ts";
import type { Json } from "../document/json.ts";
import { operationOf } from "./contract.ts";

/** A request to send: the path begins with /v1. */
export type Outgoing = {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body?: Buffer | string | undefined;
};

/** A request, and what came of it. */
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
  /** @throws when no answer comes */
  send(outgoing: Outgoing, by: string): Promise<Exchange>;
};

const timeoutMs = 30_000;

/** @param baseUrl where the server is; may have a path of its own. @param signal ends what is under way */
export function createRecorder(baseUrl: URL, signal: AbortSignal): Recorder {
  const base = baseUrl.href.replace(/\/+$/, "");
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    async send(outgoing, by) {
      const { method, path, headers, body } = outgoing;
      const answer = await request(base + path, {
        method: method as Dispatcher.HttpMethod,
        headers,
        ...(body !== undefined && { body }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      const exchange: Exchange = {
        by,
        request: outgoing,
        operation: operationOf(method, path),
        status: answer.statusCode,
        headers: answer.headers,
        body: bytes,
        json: parseJson(bytes),
      };
      exchanges.push(exchange);
      return exchange;
    },
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
