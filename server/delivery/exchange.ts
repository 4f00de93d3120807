/** One POST to an endpoint and what came of it. Never throws, never follows a redirect, never reads without bound. */
import type { Dispatcher } from "undici";
import { DeadlineError, type ErrorClass, errorClassOf } from "./error-class.ts";
import type { Cuttable } from "./under-way.ts";

/** At most so much of an answer is read, and so much of it kept. */
const readLimit = 16 * 1024;
const keepLimit = 1024;

/** What came of an exchange. */
export type Outcome = {
  /** Undefined for a success. */
  errorClass?: ErrorClass;
  status?: number;
  /** The beginning of the answer, as text. */
  body?: string;
  retryAfter?: string;
  durationMs: number;
};

/** Told once what came of an exchange: undefined when it was cut off, since then nobody knows whether the request arrived. */
export type OnEnd = (outcome: Outcome | undefined) => void;

/** An exchange under way. */
export type Exchange = Cuttable & {
  /** Of the body. */
  readonly bytes: number;
};

/**
 * Sends one request.
 *
 * @param request.headers names and values in turn
 * @param timeoutMs for the whole exchange, from connecting to the end of the response. A 2xx whose headers have arrived is a success
 * even if its body breaks off, does not end in time, or should not be there
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

/** Told by the dispatcher how it goes. One for each of thousands of requests a second: hence a class, whose functions are made once. */
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
    // What is waited for keeps the process alive by itself.
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
    this.fail(new DeadlineError(`no complete answer within ${timeoutMs} ms`));
    this.#hangUp();
  }

  #settle(result: Outcome | undefined): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#onEnd(result);
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
