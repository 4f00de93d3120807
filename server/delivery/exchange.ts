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

/**
 * Sends one request.
 *
 * @param options.timeoutMs for the whole exchange, from connecting to the end of the answer
 * @param options.signal ends the exchange at once
 * @returns the outcome, undefined when the signal ended it: then nobody knows whether it arrived
 */
export function exchange(
  dispatcher: Dispatcher,
  url: URL,
  request: { headers: Record<string, string>; body: Buffer },
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Outcome | undefined> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status: number | undefined;
    let retryAfter: string | undefined;
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;

    const settle = (error?: unknown) => {
      if (settled) return;
      settled = true;
      clearTimeout(deadline);
      signal.removeEventListener("abort", onAbort);
      if (signal.aborted) return resolve(undefined);
      const durationMs = Math.round(performance.now() - startedAt);
      const errorClass = error === undefined ? classOfStatus(status) : errorClassOf(error);
      resolve({
        durationMs,
        ...(errorClass && { errorClass }),
        ...(status !== undefined && { status }),
        ...(retryAfter !== undefined && { retryAfter }),
        ...(chunks.length > 0 && { body: textOf(chunks) }),
      });
    };
    const end = (error: Error) => {
      settle(error);
      controller?.abort(error);
    };
    const onAbort = () => end(new Error("aborted"));
    const deadline = setTimeout(() => end(new DeadlineError(`no complete answer within ${timeoutMs} ms`)), timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });

    const { headers, body } = request;
    const options = { origin: url.origin, path: url.pathname + url.search, method: "POST" as const, headers, body };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (settled) started.abort(new Error("ended before it began"));
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
        settle();
        controller?.abort(new Error("answer longer than is read"));
      },
      onResponseEnd() {
        settle();
      },
      onResponseError(_, error) {
        settle(error);
      },
    };
    try {
      dispatcher.dispatch(options, handler);
    } catch (error) {
      settle(error);
    }
  });
}

function classOfStatus(status: number | undefined): ErrorClass | undefined {
  return status !== undefined && status >= 200 && status < 300 ? undefined : "bad_status";
}

// PostgreSQL's text cannot hold NUL.
function textOf(chunks: Buffer[]): string {
  return Buffer.concat(chunks).subarray(0, keepLimit).toString("utf8").replaceAll("\0", "\uFFFD");
}
