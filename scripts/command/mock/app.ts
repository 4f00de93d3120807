/**
 * The mock: the service's enforcement of the contract, and in place of its handlers what the mock remembers, and Prism. Prism answers with
 * the contract's examples where nothing was created, and wherever a client asks for one.
 */
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from "express";
import { documentPages, documents } from "../../../server/api/documents.ts";
import { allowOrigins } from "../../../server/api/listening/cors.ts";
import { storeErrorAsHttp } from "../../../server/api/store-errors.ts";
import { type Logger, redactPath } from "../../../server/base/log.ts";
import { type Contract, type LocatedOperation, loadContract } from "../../../server/contract/contract.ts";
import { enforce, exact } from "../../../server/contract/enforce.ts";
import { HttpError } from "../../../server/contract/errors.ts";
import { connectionOf } from "../../../server/contract/handlers.ts";
import { describedBy, operationOf } from "../../../server/contract/operations.ts";
import { sendEvents } from "../../../server/contract/response-check.ts";
import type { TargetReach } from "../../../server/targets/targets.ts";
import { type AccessOptions, createAccess, guard, type LocalAccess } from "../local-access.ts";
import { type Answer, answerByExample, answerByState, operationsById, type ValidRequest } from "./answer.ts";
import { createCallbacks } from "./callbacks.ts";
import { createControl } from "./control/control.ts";
import type { Faults } from "./control/faults.ts";
import {
  bodyLimit,
  type ControlRoutes,
  controlRoutes,
  isControlPath,
  noObject,
  notJson,
  tooLarge,
} from "./control/routes.ts";
import { createPrism } from "./prism.ts";
import { type AccountOptions, createAccount, type MockAccount } from "./state/account.ts";
import { createTransport } from "./transport.ts";
import type { MockControl } from "./types.ts";

export type MockOptions = Omit<AccountOptions, "contract" | "transport" | "allowedBy"> & {
  /** Where notifications may go; `loopback` by default. */
  targets?: TargetReach | undefined;
  /** For faults of the mock itself. */
  log: Logger;
  /** Who may call besides programs and pages of this machine. */
  access?: AccessOptions | undefined;
};

/** A mock that remembers, with what a test needs of it. */
export type StatefulMock = {
  app: Express;
  account: MockAccount;
  control: MockControl & { faults: Pick<Faults, "reset"> };
  close(): Promise<void>;
};

/** Makes a mock that remembers what clients create. @throws {ServiceError} `package_missing` without Prism */
export async function createMock({ log, access, targets, ...options }: MockOptions): Promise<StatefulMock> {
  const contract = await loadContract();
  const byExample = answerByExample(contract, createPrism(contract));
  const sending = { transport: createTransport(targets), allowedBy: "--targets allows more" };
  const account = createAccount({ ...options, ...sending, contract });
  const operations = operationsById(contract);
  const control = createControl(account, operations, contract);
  const byState = answerByState(account, control.faults, byExample);

  const answer: RequestHandler = async (request, response, next) => {
    const valid = validRequest(request, operations);
    if (!valid) return next();
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const { wantsEvents } = connectionOf(request, response);
    const found = await byState(valid, { isRepeated: isRepeated(request), gone: gone.signal, wantsEvents });
    if (!found) return void response.socket?.resetAndDestroy();
    if (found.afterwards) response.once("close", found.afterwards);
    send(response, found.answer);
  };
  const app = await mockApp(contract, {
    say: options.say,
    log,
    access: createAccess(access),
    answer,
    routes: overHttp(controlRoutes(control, account.webhooks.list)),
  });
  return { app, account, control, close: account.close };
}

/** Makes a mock that answers with examples only. Every id has a webhook. @throws {ServiceError} `package_missing` without Prism */
export async function createStatelessMock(options: Pick<MockOptions, "say" | "log" | "access" | "targets">) {
  const { say, log, targets } = options;
  const contract = await loadContract();
  const callbacks = await createCallbacks(say, targets);
  const byExample = answerByExample(contract, createPrism(contract));
  const operations = operationsById(contract);
  const answer: RequestHandler = async (request, response, next) => {
    const valid = validRequest(request, operations);
    if (!valid) return next();
    const found = await byExample(valid, request.get("prefer"));
    const { status, body } = found;
    if (valid.operation.operationId === "createWebhook" && status < 300)
      response.once("finish", () => {
        const { url } = request.body as { url?: string };
        if (url !== undefined) callbacks.send({ id: (body as { id: string }).id, url });
      });
    send(response, found);
  };
  const access = createAccess(options.access);
  return { app: await mockApp(contract, { say, log, access, answer }), close: callbacks.close };
}

/** @returns undefined for what is no operation of the contract */
function validRequest(request: Request, operations: ReadonlyMap<string, LocatedOperation>): ValidRequest | undefined {
  const operation = operations.get(operationOf(request) ?? "");
  const path = describedBy(request)?.pathParams ?? {};
  const { method, path: target, query, headers, body } = request;
  return operation && { operation, method, target, path, query, headers, body };
}

function send(response: Response, { status, headers, body, events }: Answer): void {
  if (events) sendEvents(response, events);
  else response.status(status).set(headers).json(body);
}

/**
 * Whether the client sends the request again when its connection is cut. Chromium and Firefox do so without the page's knowledge, and
 * whatever the method, if the connection was used before. The request then comes once more over a new one.
 */
function isRepeated({ headers, socket }: Request): boolean {
  return headers["sec-fetch-site"] !== undefined && socket.bytesWritten > 0;
}

function overHttp(routes: ControlRoutes): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(wantJson, express.json({ limit: bodyLimit }), async ({ method, path, body }, response) => {
    response.json(await routes(method, path, body));
  });
  router.use(explain);
  return (request, response, next) => (isControlPath(request.path) ? router(request, response, next) : next());
}

/** A page can send a form to any server without asking first, but no JSON. */
const wantJson: RequestHandler = (request, response, next) => {
  response.set("cache-control", "no-store");
  const { "content-type": type, "transfer-encoding": chunked, "content-length": length = "0" } = request.headers;
  const isEmpty = type === undefined && chunked === undefined && length === "0";
  if (isEmpty || request.is("application/json")) return next();
  throw notJson();
};

const explain: ErrorRequestHandler = (error, _request, response, _next) => {
  const known = error instanceof HttpError ? error : (storeErrorAsHttp(error) ?? ofBody(error));
  const { status, message } = known ?? { status: 500, message: `The mock failed: ${error.message}.` };
  response.status(status).json({ message });
};

function ofBody(error: { status?: number; type?: string; body?: unknown }): HttpError | undefined {
  if (error.status === 413) return tooLarge();
  if (error.type === "entity.parse.failed" && typeof error.body === "string") return noObject(error.body);
  return error.status && error.status < 500 ? noObject() : undefined;
}

type Parts = {
  say: (line: string) => void;
  log: Logger;
  access: LocalAccess;
  answer: RequestHandler;
  routes?: RequestHandler;
};

async function mockApp(contract: Contract, { say, log, access, answer, routes = passOn }: Parts): Promise<Express> {
  const app = exact(express());
  allowOrigins(app, access.allowsOrigin, contract, () => true);
  // The documents are no secret, and a link to them works from anywhere.
  app.use(logRequests(say), (await documents()).router, guard(access, say), routes);
  await enforce(app, answer, {
    contract,
    pages: documentPages,
    findCaller: anyKey,
    translate: storeErrorAsHttp,
    onFailure: ({ message, cause }) => log.error({ err: cause }, message),
  });
  return app;
}

const passOn: RequestHandler = (_request, _response, next) => next();

function logRequests(say: (line: string) => void): RequestHandler {
  return ({ method, originalUrl }, response, next) => {
    const outcome = () => (response.writableFinished ? response.statusCode : "not answered");
    response.once("close", () => say(`${method} ${redactPath(originalUrl)} ${outcome()}`));
    next();
  };
}

const anyKey = (key: string) => (key === "" ? undefined : { scopes: ["read", "write"] as const });
