/**
 * Enforces the contract on every request and response, and the scopes that its operations ask for. The library does what decides on
 * parameters and responses: it reads the document, and holds them against its schemas. Which operation a request is for it would find
 * out by compiling the pattern of each path anew, at every request, and then look at its security in ten promises; here it is asked once
 * for each operation, at the start, and scopes.ts compares scopes. That took the processor time of enforcement, without handlers, from 183
 * to 78 µs for a reading and from 269 to 129 µs for a creation. What is no operation of the contract goes to the library all the same.
 *
 * Bodies come last, by json-body.ts: nothing of one is read before all else of its request is as it must be.
 */
import type { Express, NextFunction, Request, RequestHandler, Response } from "express";
import { middleware } from "express-openapi-validator";
import { canonicalPaths } from "./canonical-path.ts";
import type { Contract } from "./contract.ts";
import { jsonBody } from "./json-body.ts";
import { nothingHere } from "./no-such-route.ts";
import { type Described, describedBy, type FoundOperation, operationFinder } from "./operation-of-path.ts";
import { assertScopes } from "./scopes.ts";

type DescribedRequest = Request & { openapi?: Described };

/**
 * Makes the validator and lets it load the contract now, which it would otherwise do at the first request.
 *
 * @throws when the contract is not a valid document
 */
export async function createValidator(app: Express, contract: Contract): Promise<RequestHandler[]> {
  const find = operationFinder(contract);
  const canonical = canonicalPaths(contract);
  const [load, describe, ...check] = middleware({
    apiSpec: withoutBodies(contract) as unknown as Parameters<typeof middleware>[0]["apiSpec"],
    // No more faults than the operation has parameters.
    validateRequests: { allErrors: true },
    validateResponses: true,
    // Without it, the validator lets anything pass as a URI.
    ajvFormats: { mode: "full", formats: ["uri"] },
    validateSecurity: false,
    fileUploader: false,
  });
  if (!load || !describe) throw new Error("The validator has other parts than expected.");
  await passed(load, { app });
  const described = new Map<string, Described>();
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const [method, { operationId }] of Object.entries(item)) {
      if (operationId === undefined) continue;
      const originalUrl = path.replace(/{\w+}/g, "0");
      const sample: Partial<DescribedRequest> = { app, baseUrl: "", path: originalUrl, originalUrl };
      await passed(describe, Object.assign(sample, { method: method.toUpperCase() }));
      if (sample.openapi?.schema.operationId !== operationId)
        throw new Error(`The validator takes ${originalUrl} for another operation than ${operationId}.`);
      described.set(operationId, sample.openapi);
    }
  }
  const describeAgain: RequestHandler = (request, response, next) => {
    const found = find(request.method, request.originalUrl.split("?", 1)[0] ?? "");
    const known = found && described.get(found.operationId);
    const given = found && decoded(found);
    if (!known || !given) {
      // It takes a path for another that has no slash at its end.
      const exactly: NextFunction = (error?: unknown) =>
        next(error ?? (describedBy(request) ? nothingHere() : undefined));
      return describe(request, response, exactly);
    }
    const parameters = canonical(request, found, given);
    (request as DescribedRequest).openapi = { ...known, pathParams: parameters };
    request.params = parameters;
    next();
  };
  return [describeAgain, assertScopes(contract), ...check, jsonBody(contract)];
}

/** The document as the library has it. It does not look at bodies, of which it would list every fault. */
function withoutBodies(contract: Contract): Contract {
  const copy = structuredClone(contract);
  for (const operation of Object.values(copy.paths).flatMap((item) => Object.values(item)))
    delete operation.requestBody;
  return copy;
}

/** Undefined where a parameter is not validly percent-encoded. */
function decoded({ parameters }: FoundOperation): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}

function passed(part: RequestHandler, request: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const next: NextFunction = (error?: unknown) => (error ? reject(error) : resolve());
    void part(request as Request, {} as Response, next);
  });
}
