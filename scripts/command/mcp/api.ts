/** Calls the service for the tools, by the package's own client, and says in a sentence why a call failed. */
import { createWebhooksClient, WebhooksError } from "../../../client/index.ts";
import type { OperationResult } from "../../../client/types.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { UsageError } from "../command-line.ts";
import { faultsOfApiAnswer } from "./answer-faults.ts";
import { ToolFailure } from "./answers.ts";
import { scopeOf, type ToolCall } from "./operations.ts";

/** One try, answer included. With one retry, and the longest wait before it, a call ends before hosts lose patience after 60 s. */
const timeoutMs = 10_000;
/** No answer of the contract comes near it. */
const maxAnswerBytes = 32 * 1024 * 1024;

/** Where the service is, and the key. */
export type ApiAccess = { baseUrl: string; apiKey: string };

/** The service. Its functions throw {ToolFailure}. */
export type Api = {
  /** Calls any operation. @returns what was answered, whatever it is */
  call(id: OperationId, call: ToolCall, signal: AbortSignal): Promise<unknown>;
  /** Calls an operation whose answer is read here, and so must be what the contract says. */
  read<Id extends OperationId>(id: Id, call: ToolCall, signal: AbortSignal): Promise<OperationResult<Id>>;
};

type AnyMethod = (call: ToolCall & { signal: AbortSignal }) => Promise<unknown>;

/** @throws {UsageError} when the address or the key cannot be one */
export function createApi({ baseUrl, apiKey }: ApiAccess): Api {
  const client = createClient({ baseUrl, apiKey });
  const methods = client as unknown as Record<OperationId, AnyMethod>;

  async function call(id: OperationId, given: ToolCall, signal: AbortSignal): Promise<unknown> {
    try {
      return await methods[id]({ ...given, signal });
    } catch (error) {
      if (error instanceof WebhooksError) throw whyFailed(id, error);
      throw error;
    }
  }

  return {
    call,
    async read<Id extends OperationId>(id: Id, given: ToolCall, signal: AbortSignal) {
      const answer = await call(id, given, signal);
      const faults = faultsOfApiAnswer(id, answer);
      if (faults.length === 0) return answer as OperationResult<Id>;
      throw new ToolFailure(`The answer of ${id} is not what the contract says. Is BASE_URL the address of this API?`, {
        faults,
      });
    },
  };
}

function createClient(access: ApiAccess) {
  try {
    return createWebhooksClient({ ...access, timeoutMs, maxRetries: 1, fetch: boundedFetch });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message.replace("baseUrl", "BASE_URL").replace("apiKey", "API_KEY"));
  }
}

/** The error's own sentence quotes the service, so it is data. */
function whyFailed(id: OperationId, error: WebhooksError): ToolFailure {
  const { code, status, body, retryAfterSeconds } = error;
  const failed = `${id} failed: ${status === undefined ? "" : `${status} `}${code}.`;
  const hint = hints[code]?.(id) ?? "";
  const wait = retryAfterSeconds === undefined ? "" : ` Try again in ${retryAfterSeconds} seconds.`;
  return new ToolFailure(`${failed}${hint && ` ${hint}`}${wait}`, body ?? { message: error.message });
}

const hints: Partial<Record<WebhooksError["code"], (id: OperationId) => string>> = {
  bad_request: (id) =>
    id === "explainWebhook"
      ? "No node of the webhook's chain knows the transaction, and nothing of it is on record."
      : "",
  unauthorized: () => "The key in API_KEY is unknown, expired or revoked.",
  forbidden: (id) => `The key in API_KEY lacks the scope ${scopeOf(id) ?? "for it"}, or the account is over its quota.`,
  not_found: () => "The account of the key has nothing with this id.",
  network_error: () => "No whole answer came. Is the service running, and BASE_URL its address?",
  timeout: () =>
    `No whole answer came within ${timeoutMs / 1000} seconds. It is unknown whether the request was carried out.`,
  invalid_response: () => "The answer is not what the contract says. Is BASE_URL the address of this API?",
  http_error: () => "The answer is not what the contract says. Is BASE_URL the address of this API?",
};

/** A server that sends without end must not fill the memory. */
async function boundedFetch(request: Request): Promise<Response> {
  const response = await fetch(request);
  if (!response.body) return response;
  let bytes = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxAnswerBytes) controller.error(new Error("The answer is larger than 32 MiB."));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(bounded, { status, statusText, headers });
}
