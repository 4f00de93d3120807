/** One try of a call: one HTTP request, and its answer read to the end, within the time limit. */
import createClient from "openapi-fetch";
import { apiKeyHeader } from "../generated/operations.ts";
import type { components } from "../generated/types.ts";
import { Interrupted, interruption, withDeadline } from "./deadline.ts";
import { codeOfStatus, toApiError, WebhooksError, type WebhooksErrorDetails } from "./errors.ts";
import type { WebhooksClientOptions } from "./options.ts";
import { redactCause, redactor } from "./redact.ts";
import type { PreparedRequest } from "./request.ts";
import { parseRetryAfter } from "./retry.ts";

/** Sends a request once. Resolves with the JSON of a 2xx answer. @throws WebhooksError for anything else. */
export type Exchange = (request: PreparedRequest, signal: AbortSignal | undefined) => Promise<unknown>;

/** What openapi-fetch needs to know when the operation is only known at run time. */
type AnyOperation = {
  parameters: object;
  requestBody?: { content: { "application/json": string } };
  responses: object;
};
/** The header of an answer 410 of a feed. */
const firstSequenceHeader = "Webhook-First-Sequence" satisfies keyof components["responses"]["Gone"]["headers"];

type AnyPaths = Record<string, Record<PreparedRequest["method"], AnyOperation>>;

/** Makes the function that sends requests for a client. */
export function createExchange(options: Required<WebhooksClientOptions>): Exchange {
  const { baseUrl, apiKey, timeoutMs } = options;
  const redact = redactor(apiKey);
  // A redirect is not followed: it would carry the key to wherever it points.
  const api = createClient<AnyPaths>({ baseUrl, headers: { [apiKeyHeader]: apiKey }, redirect: "manual" });

  return async (request, signal) => {
    const { operation } = request;
    const fail = (message: string, details: Omit<WebhooksErrorDetails, "operation">) =>
      new WebhooksError(redact(`${operation} ${message}`), {
        ...details,
        operation,
        cause: redactCause(details.cause, redact),
      });
    const progress: { sent: boolean; answer: Response | undefined } = { sent: false, answer: undefined };

    const fetch = async (input: Request) => {
      progress.sent = true;
      progress.answer = await options.fetch(input);
      return progress.answer;
    };

    const send = async (attemptSignal: AbortSignal) => {
      const { response, error } = await api.request(request.method, request.pathTemplate, {
        params: { path: request.path, query: request.query, header: request.headers },
        ...(request.bodyText === undefined ? {} : { body: request.bodyText }),
        bodySerializer: (text: unknown) => text,
        // Left unread by openapi-fetch, which would throw an unmarked SyntaxError or pass an empty body as undefined.
        parseAs: "stream",
        signal: attemptSignal,
        fetch,
      });
      return response.ok ? readJson(response, fail, redact) : Promise.reject(refusal(response, error));
    };

    const refusal = (response: Response, answer: unknown, cause?: unknown) => {
      const error = toApiError(answer);
      const body = error && { ...error, message: redact(error.message), error: redact(error.error) };
      const status = response.status || undefined;
      const said = body ? ` ${body.error}: ${body.message}` : " and an answer that is not of the contract's shape.";
      return fail(
        status ? `failed with ${status}${said}` : "failed: the answer is a redirect, which is not followed.",
        {
          code: codeOfStatus(response.status),
          status,
          body,
          retryAfterSeconds: parseRetryAfter(response.headers.get("Retry-After"), Date.now()),
          firstSequence: Number(response.headers.get(firstSequenceHeader)) || undefined,
          cause,
        },
      );
    };

    try {
      return await withDeadline(timeoutMs, signal, send);
    } catch (error) {
      if (error instanceof WebhooksError) throw error;
      if (error instanceof Interrupted) throw interruption(operation, error, timeoutMs);
      if (progress.answer?.ok === false) throw refusal(progress.answer, undefined, error);
      if (!progress.sent)
        throw fail("was not sent: it cannot be made into a request.", { code: "invalid_request", cause: error });
      const what = progress.answer ? "the answer broke off" : "no answer came from the service";
      throw fail(`failed: ${what}${systemCode(error)}.`, { code: "network_error", cause: error });
    }
  };
}

type Fail = (message: string, details: Omit<WebhooksErrorDetails, "operation">) => WebhooksError;

/** Every 2xx answer of the contract is a JSON object. */
async function readJson(response: Response, fail: Fail, redact: (text: string) => string): Promise<unknown> {
  const text = await response.text();
  const invalid = (what: string, cause?: unknown) =>
    fail(`failed: the answer has the status ${response.status}, but ${what}.`, {
      code: "invalid_response",
      status: response.status,
      cause,
    });
  if (text === "") throw invalid("its body is empty");
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    // The engine's message quotes a few letters of the text, which may be the first letters of the key.
    throw invalid("its body is not JSON", redact(text) === text ? cause : undefined);
  }
  if (typeof body !== "object" || body === null) throw invalid("its body is not a JSON object");
  return body;
}

/** The operating system's code, such as ECONNREFUSED or ENOTFOUND, if the runtime reports it. */
function systemCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? ` (${code})` : "";
}
