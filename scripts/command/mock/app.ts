/** The mock: the service's enforcement of the contract, and Prism in place of its handlers. */
import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import { documents } from "../../../server/api/documents.ts";
import { type Contract, loadContract, operationsOf } from "../../../server/contract/contract.ts";
import { enforce, exact } from "../../../server/contract/enforce.ts";
import { operationOf } from "../../../server/contract/operations.ts";
import { fitToRequest } from "./answer.ts";
import { checkBeyondSchema } from "./beyond-schema.ts";
import type { Callbacks } from "./callbacks.ts";
import { readPreference } from "./preference.ts";
import { createPrism, type Prism } from "./prism.ts";

export type MockOptions = {
  callbacks: Callbacks;
  /** Called with a line for every request. */
  say: (line: string) => void;
  /** For faults of the mock itself. */
  log: Logger;
};

/** Makes the mock. @throws {ServiceError} `package_missing` without Prism */
export async function createMock({ callbacks, say, log }: MockOptions): Promise<Express> {
  const contract = await loadContract();
  const app = exact(express());
  app.use(logRequests(say), (await documents()).router);
  await enforce(app, answerByPrism(contract, await createPrism(contract), callbacks), {
    contract,
    findCaller: anyKey,
    onFailure: ({ message, cause }) => log.error({ err: cause }, message),
  });
  return app;
}

function logRequests(say: (line: string) => void): RequestHandler {
  return ({ method, originalUrl }, response, next) => {
    response.once("close", () => say(`${method} ${originalUrl} ${response.statusCode}`));
    next();
  };
}

const anyKey = (key: string) => (key === "" ? undefined : { scopes: ["read", "write"] as const });

function answerByPrism(contract: Contract, prism: Prism, callbacks: Callbacks): RequestHandler {
  const operations = new Map(operationsOf(contract).map((operation) => [operation.operationId, operation]));
  return async (request, response, next) => {
    const operation = operations.get(operationOf(request) ?? "");
    if (!operation) return next();
    const { operationId } = operation;
    const { query, body } = request;
    const preference = readPreference(request.get("prefer"), contract, operation);
    await checkBeyondSchema(operationId, { query, body });
    const answer = fitToRequest(await prism(request, preference), query);
    // By then the validator has seen the answer, and the client has it.
    response.once("finish", () => {
      if (operationId === "createWebhook" && response.statusCode < 300)
        callbacks.send({ id: (answer.body as { id: string }).id, url: body.url });
    });
    response.status(answer.status).set(answer.headers).json(answer.body);
  };
}
