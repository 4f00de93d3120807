/** The mock: what the service does with a request up to its handlers, and Prism in their place. */
import express, { type Express, type Request, type RequestHandler, Router } from "express";
import type { Logger } from "pino";
import { operationTable } from "../../../generated/operations.ts";
import { documents } from "../../../server/api/documents.ts";
import { authenticate } from "../../../server/contract/authenticate.ts";
import { requestChecks } from "../../../server/contract/enforce.ts";
import { errorMapper } from "../../../server/contract/error-mapper.ts";
import { noSuchPath } from "../../../server/contract/no-such-route.ts";
import { fitToRequest } from "./answer.ts";
import { checkBeyondSchema } from "./beyond-schema.ts";
import type { Callbacks } from "./callbacks.ts";
import { loadMockDocument, type MockDocument } from "./document.ts";
import { readPreference } from "./preference.ts";
import { createPrism, type Prism } from "./prism.ts";

/** What the mock works with. */
export type MockOptions = {
  callbacks: Callbacks;
  /** Told of every request, in a line. */
  say: (line: string) => void;
  /** Where faults of the mock itself go. */
  log: Logger;
};

/** Makes the mock. */
export async function createMock({ callbacks, say, log }: MockOptions): Promise<Express> {
  const document = await loadMockDocument();
  const prism = await createPrism(document);
  const app = express();
  app.enable("case sensitive routing").enable("strict routing").disable("x-powered-by").disable("etag");

  app.use(told(say));
  app.use((await documents()).router);
  app.use("/v1/webhooks", authenticate(anyKey));
  app.use(await requestChecks(app, structuredClone(document)));
  app.use(routes(document, prism, callbacks));
  app.use(
    noSuchPath,
    errorMapper(({ message, cause }) => log.error({ err: cause }, message)),
  );
  return app;
}

function told(say: (line: string) => void): RequestHandler {
  return ({ method, originalUrl }, response, next) => {
    response.once("close", () => say(`${method} ${originalUrl} ${response.statusCode}`));
    next();
  };
}

/** Any key will do. */
const anyKey = (key: string) => (key === "" ? undefined : { scopes: ["read", "write"] as const });

function routes(document: MockDocument, prism: Prism, callbacks: Callbacks): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [operationId, { method, path }] of Object.entries(operationTable)) {
    const operation = document.paths[path]?.[method];
    if (!operation) throw new Error(`The contract has no operation ${operationId}.`);
    router[method](path.replace(/{(\w+)}/g, ":$1"), async (request: Request, response) => {
      const preference = readPreference(request.get("prefer"), document, operationId, operation);
      const { query, body } = request;
      await checkBeyondSchema(operationId, { query, body });
      const answer = fitToRequest(await prism(request, preference), query);
      // By then the validator has seen the answer, and the client has it.
      response.once("finish", () => {
        if (operationId === "createWebhook" && response.statusCode < 300)
          callbacks.send({ id: (answer.body as { id: string }).id, url: body.url });
      });
      response.status(answer.status).set(answer.headers).json(answer.body);
    });
  }
  return router;
}
