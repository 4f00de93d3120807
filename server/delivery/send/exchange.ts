/** One POST to an endpoint, and its outcome. It never throws, never follows a redirect, and never reads without bound. */

import type { Abortable } from "../shard.ts";
import type { Connection, ConnectionUser, Dialer } from "./dialer.ts";
import { type ErrorClass, ExchangeError, errorClassOf } from "./lookup.ts";
import { ResponseReader } from "./response-reader.ts";

/** The result of an exchange. */
export type Outcome = {
  /** Undefined for a success. */
  errorClass?: ErrorClass;
  status?: number;
  /** The beginning of the answer, as text. */
  body?: string;
  retryAfter?: string;
  durationMs: number;
};

/** Called once with the outcome. It is undefined if the exchange was aborted: nobody knows whether the request arrived. */
export type OnEnd = (outcome: Outcome | undefined) => void;

/** An exchange in flight. */
export type Exchange = Abortable & {
  /** Of the body. */
  readonly bytes: number;
};

type ExchangeRequest = { headers: readonly string[]; body: Buffer };

/**
 * Sends one request.
 *
 * @param request.headers names and values alternately
 * @param timeoutMs for the whole exchange, from connecting to the end of the response. A 2xx is a success once its status line has arrived, even
 * if what follows breaks off, is late, or should not be there
 * @param onEnd may be called before this returns
 */
export function beginExchange(
  dialer: Dialer,
  { origin, path }: { origin: string; path: string },
  request: ExchangeRequest,
  timeoutMs: number,
  onEnd: OnEnd,
): Exchange {
  const inFlight = new ExchangeInFlight(path, request, timeoutMs, onEnd);
  try {
    dialer.dial(origin, inFlight);
  } catch (error) {
    inFlight.fail(error);
  }
  return inFlight;
}

/** Receives the connection's events. A class, since there are thousands a second and its functions are created once. */
class ExchangeInFlight implements ConnectionUser, Exchange {
  readonly bytes: number;
  readonly startedAt = performance.now();
  place: number | undefined;
  readonly #path: string;
  readonly #timer: NodeJS.Timeout;
  readonly #onEnd: OnEnd;
  readonly #response = new ResponseReader();
  #request: ExchangeRequest | undefined;
  #connection: Connection | undefined;
  #hasAnswer = false;
  #settled = false;

  constructor(path: string, request: ExchangeRequest, timeoutMs: number, onEnd: OnEnd) {
    this.bytes = request.body.length;
    this.#path = path;
    this.#request = request;
    this.#onEnd = onEnd;
    // The connection keeps the process alive.
    this.#timer = setTimeout(() => this.#expire(timeoutMs), timeoutMs).unref();
  }

  onConnection(connection: Connection): void {
    this.#connection = connection;
  }

  onReady(): void {
    const request = this.#request;
    if (!request) return;
    this.#request = undefined;
    const { headers, body } = request;
    let lines = "";
    for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
    this.#connection?.write(`POST ${this.#path} HTTP/1.1\r\n`, lines, body);
  }

  onData(bytes: Buffer): void {
    this.#hasAnswer = true;
    this.#response.read(bytes);
    this.#conclude();
  }

  onEnd(): void {
    this.#response.readEnd();
    this.#conclude();
  }

  onClose(error: Error | undefined): void {
    const connection = this.#connection;
    // It had the request, and closed without a word.
    if (!this.#request && !this.#hasAnswer && connection) void this.#failAs(connection, error);
    else this.fail(error);
  }

  async #failAs(connection: Connection, error: Error | undefined): Promise<void> {
    const isForTls = await connection.isForTls().catch(() => false);
    this.fail(isForTls ? new ExchangeError("tls_error", "the port speaks TLS") : error);
  }

  fail(error: unknown): void {
    this.#settle(this.#outcomeOf(isSuccess(this.#response.status) ? undefined : errorClassOf(error)));
  }

  abort(): void {
    this.#connection?.destroy();
    this.#settle(undefined);
  }

  #expire(timeoutMs: number): void {
    this.#connection?.destroy();
    this.fail(new ExchangeError("timeout", `no complete answer within ${timeoutMs} ms`));
  }

  /** Ends the exchange if the response has ended. The connection comes first: what follows may need one. */
  #conclude(): void {
    const { end, isReusable, keepAliveSeconds } = this.#response;
    if (!end) return;
    if (isReusable) this.#connection?.release(keepAliveSeconds);
    else this.#connection?.destroy();
    this.#settle(this.#outcomeOf(this.#errorClassAt(end)));
  }

  #errorClassAt(end: NonNullable<ResponseReader["end"]>): ErrorClass | undefined {
    if (end === "tls") return "tls_error";
    if (end === "not http") return "invalid_response";
    return isSuccess(this.#response.status) ? undefined : "bad_status";
  }

  #settle(outcome: Outcome | undefined): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#connection = undefined;
    this.#request = undefined;
    clearTimeout(this.#timer);
    this.#onEnd(outcome);
  }

  #outcomeOf(errorClass: ErrorClass | undefined): Outcome {
    const outcome: Outcome = { durationMs: Math.round(performance.now() - this.startedAt) };
    const { status, retryAfter, text } = this.#response;
    if (errorClass) outcome.errorClass = errorClass;
    if (status !== undefined) outcome.status = status;
    if (retryAfter !== undefined) outcome.retryAfter = retryAfter;
    if (text !== undefined) outcome.body = text;
    return outcome;
  }
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
