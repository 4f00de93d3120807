/**
 * The mock: the service's enforcement of the contract, and in place of its handlers what the mock remembers, and Prism. Prism answers with
 * the contract's examples where nothing was created, and wherever a client asks for one.
 */
import express, { type Express, type Request, type RequestHandler } from "express";
import { documentPages, documents } from "../../../server/api/documents.ts";
import { allowOrigins } from "../../../server/api/listening/cors.ts";
import { storeErrorAsHttp } from "../../../server/api/store-errors.ts";
import { type Logger, redactPath } from "../../../server/base/log.ts";
import { type Contract, type LocatedOperation, loadContract, operationsOf } from "../../../server/contract/contract.ts";
import { enforce, exact } from "../../../server/contract/enforce.ts";
import { callHandlers } from "../../../server/contract/handlers.ts";
import { describedBy, operationOf } from "../../../server/contract/operations.ts";
import { type AccessOptions, createAccess, guard, type LocalAccess } from "../local-access.ts";
import { answerByPrism } from "./answer-by-prism.ts";
import { createCallbacks } from "./callbacks.ts";
import { createControl } from "./control/control.ts";
import type { Faults } from "./control/faults.ts";
import { controlRoutes } from "./control/routes.ts";
import { chooses } from "./preference.ts";
import { createPrism } from "./prism.ts";
import { type AccountOptions, createAccount, type MockAccount } from "./state/account.ts";
import { mockHandlers } from "./state/handlers.ts";
import type { MockControl } from "./types.ts";

export type MockOptions = Omit<AccountOptions, "contract"> & {
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
export async function createMock({ log, access, ...options }: MockOptions): Promise<StatefulMock> {
  const contract = await loadContract();
  const byExample = answerByPrism(contract, createPrism(contract));
  const account = createAccount({ ...options, contract });
  const operations = operationsById(contract);
  const control = await createControl(account, operations);
  const byState = callHandlers(contract, mockHandlers(account));

  const answer: RequestHandler = async (request, response, next) => {
    const operation = operations.get(operationOf(request) ?? "");
    if (!operation) return next();
    const fault = control.faults.take(operation, request);
    if (fault && !(await control.faults.undergo(fault, response))) return;
    if (fault?.status !== undefined)
      return byExample(operation, request, response, `code=${fault.status}`, fault.retryAfter);
    const preference = request.get("prefer");
    if (chooses(preference)) return byExample(operation, request, response, preference);
    if (isExampleOf(account, operation, request)) return byExample(operation, request, response);
    if (operation.operationId === "createWebhook")
      response.once("close", () => void account.greet(String(response.get("location")?.split("/").pop())));
    return byState(request, response, next);
  };
  const app = await mockApp(contract, {
    say: options.say,
    log,
    access: createAccess(access),
    answer,
    routes: controlRoutes(control, account.webhooks.list),
  });
  return { app, account, control, close: account.close };
}

/** Makes a mock that answers with examples only. Every id has a webhook. @throws {ServiceError} `package_missing` without Prism */
export async function createStatelessMock(options: Pick<MockOptions, "say" | "log" | "access" | "targets">) {
  const { say, log, targets } = options;
  const contract = await loadContract();
  const callbacks = await createCallbacks(say, targets);
  const byExample = answerByPrism(contract, createPrism(contract));
  const operations = operationsById(contract);
  const answer: RequestHandler = async (request, response, next) => {
    const operation = operations.get(operationOf(request) ?? "");
    if (!operation) return next();
    const body = await byExample(operation, request, response, request.get("prefer"));
    if (operation.operationId === "createWebhook" && response.statusCode < 300)
      response.once("finish", () => callbacks.send({ id: (body as { id: string }).id, url: request.body.url }));
  };
  const access = createAccess(options.access);
  return { app: await mockApp(contract, { say, log, access, answer }), close: callbacks.close };
}

/** The examples' notifications and replays, and their tests, which nobody wants to be sent to example.com. */
const ofExamples = new Set([
  "listNotifications",
  "getNotification",
  "resendNotification",
  "createReplay",
  "getReplay",
  "testWebhook",
  "explainWebhook",
]);

function isExampleOf({ webhooks }: MockAccount, { operationId }: LocatedOperation, request: Request): boolean {
  const id = String(describedBy(request)?.pathParams.id);
  return ofExamples.has(operationId) && webhooks.has(id) && webhooks.get(id).isExample;
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

const operationsById = (contract: Contract) =>
  new Map(operationsOf(contract).map((operation) => [operation.operationId, operation]));

function logRequests(say: (line: string) => void): RequestHandler {
  return ({ method, originalUrl }, response, next) => {
    const outcome = () => (response.writableFinished ? response.statusCode : "not answered");
    response.once("close", () => say(`${method} ${redactPath(originalUrl)} ${outcome()}`));
    next();
  };
}

const anyKey = (key: string) => (key === "" ? undefined : { scopes: ["read", "write"] as const });
