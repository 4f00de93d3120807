/** One POST to an endpoint, and its outcome. It never throws, never follows a redirect, and never reads without bound. */
import type { Dispatcher } from "undici";
import { type ErrorClass, ExchangeError, errorClassOf } from "./error-class.ts";
import type { Abortable } from "./in-flight.ts";

/** In bytes of the answer. */
const readLimit = 16 * 1024;
const keepLimit = 1024;

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

/**
 * Sends one request.
 *
 * @param request.headers names and values in turn
 * @param timeoutMs for the whole exchange, from connecting to the end of the response. A 2xx is a success once its headers have arrived, even if
 * its body breaks off, is late, or should not be there
 * @param onEnd may be called before this returns
 */
export function exchange(
  dispatcher: Dispatcher,
  { origin, path }: { origin: string; path: string },
  request: { headers: string[]; body: Buffer },
  timeoutMs: number,
  onEnd: OnEnd,
): Exchange {
  const handler = new ExchangeHandler(request.body.length, timeoutMs, onEnd);
  try {
    dispatcher.dispatch({ origin, path, method: "POST", headers: request.headers, body: request.body }, handler);
  } catch (error) {
    handler.fail(error);
  }
  return handler;
}

/** Receives the dispatcher's events. A class, since there are thousands a second and its functions are created once. */
class ExchangeHandler implements Dispatcher.DispatchHandler, Exchange {
  readonly bytes: number;
  readonly startedAt = performance.now();
  place: number | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #onEnd: OnEnd;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #retryAfter: string | undefined;
  #size = 0;
  #settled = false;

  constructor(bytes: number, timeoutMs: number, onEnd: OnEnd) {
    this.bytes = bytes;
    this.#onEnd = onEnd;
    // Whoever waits for the exchange keeps the process alive.
    this.#timer = setTimeout(() => this.#expire(timeoutMs), timeoutMs).unref();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) this.#hangUp();
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    this.#status = status;
    const value = headers["retry-after"];
    this.#retryAfter = Array.isArray(value) ? value[0] : value;
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#size < keepLimit) this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < readLimit) return;
    this.onResponseEnd();
    this.#hangUp();
  }

  onResponseEnd(): void {
    this.#settle(this.#outcomeOf(isSuccess(this.#status) ? undefined : "bad_status"));
  }

  onResponseError(_: unknown, error: Error): void {
    this.fail(error);
  }

  fail(error: unknown): void {
    this.#settle(this.#outcomeOf(isSuccess(this.#status) ? undefined : errorClassOf(error)));
  }

  abort(): void {
    this.#settle(undefined);
    this.#hangUp();
  }

  #expire(timeoutMs: number): void {
    this.fail(new ExchangeError("timeout", `no complete answer within ${timeoutMs} ms`));
    this.#hangUp();
  }

  #settle(outcome: Outcome | undefined): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#onEnd(outcome);
  }

  #outcomeOf(errorClass: ErrorClass | undefined): Outcome {
    const outcome: Outcome = { durationMs: Math.round(performance.now() - this.startedAt) };
    if (errorClass) outcome.errorClass = errorClass;
    if (this.#status !== undefined) outcome.status = this.#status;
    if (this.#retryAfter !== undefined) outcome.retryAfter = this.#retryAfter;
    if (this.#chunks.length > 0) outcome.body = textOf(this.#chunks);
    return outcome;
  }

  #hangUp(): void {
    this.#controller?.abort(new Error("the exchange is over"));
  }
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

// PostgreSQL's text cannot hold NUL.
function textOf(chunks: Buffer[]): string {
  return Buffer.concat(chunks).subarray(0, keepLimit).toString("utf8").replaceAll("\0", "\uFFFD");
}
