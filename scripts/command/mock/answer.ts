/**
 * Answers a valid request: with the failure that a test wants, with the example that its client prefers, or from what the mock remembers. It is the same
 * behind Express and behind Mock Service Worker, so it knows neither.
 */
import { type Contract, type LocatedOperation, operationsOf } from "../../../server/contract/contract.ts";
import type { Handlers } from "../../../server/contract/handlers.ts";
import type { ServerSentEvent } from "../../../server/contract/response-check.ts";
import { unauthorized } from "../../../server/contract/security.ts";
import { checkBeyondSchema } from "./beyond-schema.ts";
import type { Faults } from "./control/faults.ts";
import { chooses, type Preference, readPreference } from "./preference.ts";
import type { MockAccount } from "./state/account.ts";
import { mockHandlers } from "./state/handlers.ts";

/** A request that the contract allows, as its handler gets it. */
export type ValidRequest = {
  operation: LocatedOperation;
  method: string;
  /** As it was sent, without its query. */
  target: string;
  path: Record<string, string>;
  query: { pageToken?: string; pageSize?: number };
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
};

/** What is sent: JSON, or a stream of events in its place. */
export type Answer = {
  status: number;
  headers: Record<string, string>;
  body?: unknown;
  events?: AsyncIterable<readonly ServerSentEvent[]>;
};

/** An answer that is an example of the contract. */
export type ExampleAnswer = { statusCode: number; headers?: Record<string, string>; body?: unknown };

/** Finds the example. */
export type FindExample = (request: { method: string; path: string }, preference: Preference) => Promise<ExampleAnswer>;

/** @param prefer as in the header @param retryAfter in place of the example's */
export type AnswerByExample = (request: ValidRequest, prefer?: string, retryAfter?: number) => Promise<Answer>;

export function answerByExample(contract: Contract, find: FindExample): AnswerByExample {
  return async ({ operation, method, target, query, body }, prefer, retryAfter) => {
    const preference = readPreference(prefer, contract, operation);
    await checkBeyondSchema(operation.operationId, { query, body });
    const answer = fitToRequest(await find({ method, path: target }, preference), query);
    const wait = retryAfter !== undefined && { "Retry-After": String(retryAfter) };
    return { ...answer, headers: { ...answer.headers, ...wait } };
  };
}

/** What is known of who waits for the answer. */
export type AnswerContext = {
  /** Whether its client sends the request again, by itself, when it is cut. */
  isRepeated: boolean;
  /** Aborted when its client does not wait any longer. */
  gone: AbortSignal;
  /** Whether it prefers a stream of events to JSON. */
  wantsEvents: boolean;
};

/** @returns undefined where the connection is cut in place of an answer; `afterwards` is called when the answer was sent */
export type AnswerByState = (
  request: ValidRequest,
  context: AnswerContext,
) => Promise<{ answer: Answer; afterwards?: () => void } | undefined>;

type AnyHandler = (input: object) => Promise<Omit<Answer, "headers"> & Partial<Pick<Answer, "headers">>>;

/** Answers from what an account has. */
export function answerByState(account: MockAccount, faults: Faults, byExample: AnswerByExample): AnswerByState {
  const handlers: Handlers = mockHandlers(account);
  return async (request, { isRepeated, gone, wantsEvents }) => {
    const { operation, path, query, headers, body } = request;
    const fault = faults.take(operation, isRepeated);
    if (fault) await faults.delay(fault, gone);
    if (fault?.reset || gone.aborted) return undefined;
    if (fault?.status !== undefined)
      return { answer: await byExample(request, `code=${fault.status}`, fault.retryAfter) };
    const prefer = headers.prefer === undefined ? undefined : String(headers.prefer);
    if (chooses(prefer)) return { answer: await byExample(request, prefer) };
    if (isExampleOf(account, request)) return { answer: await byExample(request) };
    const handler = handlers[operation.operationId as keyof Handlers] as AnyHandler;
    const caller = { scopes: ["read", "write"] };
    const whenClosed = (act: () => void) => {
      if (gone.aborted) act();
      else gone.addEventListener("abort", act, { once: true });
    };
    const made = await handler({ caller, path, query, headers, body, wantsEvents, whenClosed });
    const answer = { ...made, headers: made.headers ?? {} };
    if (operation.operationId !== "createWebhook") return { answer };
    return { answer, afterwards: () => void account.greet(String(answer.headers.Location?.split("/").pop())) };
  };
}

export const operationsById = (contract: Contract): ReadonlyMap<string, LocatedOperation> =>
  new Map(operationsOf(contract).map((operation) => [operation.operationId, operation]));

/** The examples' notifications and replays, and their tests, which nobody wants to be sent to example.com. */
const ofExamples = new Set([
  "listNotifications",
  "readFeed",
  "getNotification",
  "resendNotification",
  "createReplay",
  "getReplay",
  "cancelReplay",
  "testWebhook",
  "explainWebhook",
]);

function isExampleOf({ webhooks }: MockAccount, { operation, path }: ValidRequest): boolean {
  const { id = "" } = path;
  return ofExamples.has(operation.operationId) && webhooks.has(id) && webhooks.get(id).isExample;
}

type Page = { nextPageToken?: string } & Record<string, unknown>;

/**
 * Makes an example consistent with itself and its request. A list has no more items than the request wants. The page after the first is the last and empty, so paging ends. `Location` is the path
 * of the record in the body.
 */
function fitToRequest(
  { statusCode, headers = {}, body }: ExampleAnswer,
  query: { pageToken?: string; pageSize?: number },
): Answer {
  const { Location, ...others } = withoutType(headers);
  const id = (body as { id?: unknown } | undefined)?.id;
  const location =
    Location === undefined ? {} : { Location: typeof id === "string" ? Location.replace(/[^/]*$/, id) : Location };
  const key = statusCode === 401 ? unauthorized().headers : {};
  return {
    status: statusCode,
    headers: { ...others, ...location, ...key },
    body:
      query.pageSize === undefined || statusCode >= 300
        ? body
        : page(body as Page, { ...query, pageSize: query.pageSize }),
  };
}

function page(
  { nextPageToken, ...whole }: Page,
  { pageToken, pageSize }: { pageToken?: string; pageSize: number },
): Page {
  const items = pageToken === undefined ? pageSize : 0;
  const cut = Object.entries(whole).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, items) : value,
  ]);
  return {
    ...Object.fromEntries(cut),
    ...(pageToken === undefined && nextPageToken !== undefined && { nextPageToken }),
  };
}

/** Who sends the answer writes the content type, with its charset. */
function withoutType(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type"));
}
