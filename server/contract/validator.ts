/**
 * Enforces the contract on every request and response. express-openapi-validator reads the document, and checks parameters and answers
 * against its schemas. Left alone, it would find a request's operation by compiling the pattern of each path again, and look at its
 * security in ten promises. Here it is asked once for each operation, at the start. That cut the processor time of enforcement, without
 * handlers, from 183 to 78 µs for a read and from 269 to 129 µs for a creation. The library still answers what is no operation.
 *
 * Bodies come last: nothing of one is read before everything else of its request is valid.
 */
import express, { type NextFunction, type Request, type RequestHandler, type Response } from "express";
import { middleware } from "express-openapi-validator";
import { jsonBody, type WrapBodyReader } from "./body/json-body.ts";
import { type Contract, operationsOf, parametersOf } from "./contract.ts";
import { pathNotFound } from "./errors.ts";
import { type Described, describedBy, findOperation, pathParameters } from "./operations.ts";
import { requireScopes } from "./security.ts";

type DescribedRequest = Request & { openapi?: Described };

/** Of each contract the checks of what is no body. Compiling takes 200 ms of processor, and a process may have several servers. */
const compiled = new WeakMap<Contract, Promise<RequestHandler[]>>();

/**
 * Makes the validator and lets it load the contract now, not at the first request.
 *
 * @throws when the contract is not a valid document
 */
export async function createValidator(contract: Contract, wrapBodyReader?: WrapBodyReader): Promise<RequestHandler[]> {
  const checks = compiled.get(contract) ?? compile(contract);
  compiled.set(contract, checks);
  return [...(await checks), jsonBody(contract, wrapBodyReader)];
}

async function compile(contract: Contract): Promise<RequestHandler[]> {
  // The library adds handlers of path parameters to an app. Our routes have none.
  const app = express();
  const pathParametersOf = pathParameters(contract);
  // The third part would check security, and without that is a promise for nothing.
  const [load, describe, , ...check] = middleware({
    apiSpec: forLibrary(contract) as unknown as Parameters<typeof middleware>[0]["apiSpec"],
    // No more faults than the operation has parameters.
    validateRequests: { allErrors: true },
    validateResponses: true,
    // Without it, the validator lets anything pass as a URI.
    ajvFormats: { mode: "full", formats: ["uri"] },
    validateSecurity: false,
    fileUploader: false,
  });
  if (!load || !describe || check.length !== 2) throw new Error("The validator has other parts than expected.");
  await passed(load, { app });
  const described = new Map<string, Described>();
  for (const { operationId, method, path } of operationsOf(contract)) {
    const originalUrl = path.replace(/{\w+}/g, "0");
    const sample: Partial<DescribedRequest> = { app, baseUrl: "", path: originalUrl, originalUrl };
    await passed(describe, Object.assign(sample, { method: method.toUpperCase() }));
    if (sample.openapi?.schema.operationId !== operationId)
      throw new Error(`The validator takes ${originalUrl} for another operation than ${operationId}.`);
    described.set(operationId, sample.openapi);
  }
  const describeAgain: RequestHandler = (request, response, next) => {
    const found = findOperation(request.method, request.originalUrl.split("?", 1)[0] ?? "");
    const known = found && described.get(found.operationId);
    const parameters = known && pathParametersOf(request, found);
    if (!parameters) {
      // The library ignores a slash at a path's end.
      const exactly: NextFunction = (error?: unknown) =>
        next(error ?? (describedBy(request) ? pathNotFound() : undefined));
      return describe(request, response, exactly);
    }
    (request as DescribedRequest).openapi = { ...known, pathParams: parameters };
    request.params = parameters;
    next();
  };
  return [describeAgain, requireScopes, ...check];
}

/**
 * The document for the library. It must not look at bodies: it would list every fault of one. It must not look at how a query is encoded
 * either: it refuses `!'()*`, which `encodeURIComponent` leaves as they are, and `+`, which is a space of `URLSearchParams`.
 */
function forLibrary(contract: Contract): Contract {
  const copy = structuredClone(contract);
  for (const operation of Object.values(copy.paths).flatMap((item) => Object.values(item)))
    delete operation.requestBody;
  for (const parameter of parametersOf(copy)) if (parameter.in === "query") parameter.allowReserved = true;
  return copy;
}

function passed(part: RequestHandler, request: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const next: NextFunction = (error?: unknown) => (error ? reject(error) : resolve());
    void part(request as Request, {} as Response, next);
  });
}
