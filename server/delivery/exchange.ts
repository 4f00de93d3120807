/** One POST to an endpoint and what came of it. Never throws, never follows a redirect, never reads without bound. */
import type { Dispatcher } from "undici";
import { DeadlineError, type ErrorClass, errorClassOf } from "./error-class.ts";

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

/** An exchange under way. */
export type Exchange = {
  /** Undefined when it was cut off: then nobody knows whether the request arrived. */
  outcome: Promise<Outcome | undefined>;
  /** Cuts it off. */
  abort(): void;
};

/**
 * Sends one request.
 *
 * @param timeoutMs for the whole exchange, from connecting to the end of the answer
 */
export function exchange(
  dispatcher: Dispatcher,
  { origin, path }: { origin: string; path: string },
  { headers, body }: { headers: Record<string, string>; body: Buffer },
  timeoutMs: number,
): Exchange {
  const startedAt = performance.now();
  let controller: Dispatcher.DispatchController | undefined;
  let status: number | undefined;
  let retryAfter: string | undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  let settled = false;
  let resolve: (outcome: Outcome | undefined) => void;
  const outcome = new Promise<Outcome | undefined>((resolver) => {
    resolve = resolver;
  });

  const settle = (result: Outcome | undefined) => {
    if (settled) return;
    settled = true;
    clearTimeout(deadline);
    resolve(result);
  };
  const outcomeOf = (errorClass: ErrorClass | undefined): Outcome => ({
    durationMs: Math.round(performance.now() - startedAt),
    ...(errorClass && { errorClass }),
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(chunks.length > 0 && { body: textOf(chunks) }),
  });
  const answered = () => settle(outcomeOf(classOfStatus(status)));
  const failed = (error: unknown) => settle(outcomeOf(errorClassOf(error)));
  const hangUp = () => controller?.abort(new Error("the exchange is over"));
  const deadline = setTimeout(() => {
    failed(new DeadlineError(`no complete answer within ${timeoutMs} ms`));
    hangUp();
  }, timeoutMs);

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started;
      if (settled) hangUp();
    },
    onResponseStart(_, statusCode, responseHeaders) {
      if (statusCode < 200) return;
      status = statusCode;
      const value = responseHeaders["retry-after"];
      retryAfter = Array.isArray(value) ? value[0] : value;
    },
    onResponseData(_, chunk) {
      if (size < keepLimit) chunks.push(chunk);
      size += chunk.length;
      if (size < readLimit) return;
      answered();
      hangUp();
    },
    onResponseEnd: answered,
    onResponseError: (_, error) => failed(error),
  };
  try {
    dispatcher.dispatch({ origin, path, method: "POST", headers, body }, handler);
  } catch (error) {
    failed(error);
  }
  return {
    outcome,
    abort() {
      settle(undefined);
      hangUp();
    },
  };
}

function classOfStatus(status: number | undefined): ErrorClass | undefined {
  return status !== undefined && status >= 200 && status < 300 ? undefined : "bad_status";
}

// PostgreSQL's text cannot hold NUL.
function textOf(chunks: Buffer[]): string {
  return Buffer.concat(chunks).subarray(0, keepLimit).toString("utf8").replaceAll("\0", "\uFFFD");
}
