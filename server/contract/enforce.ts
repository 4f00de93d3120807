/** Enforces the contract around an app's answers: who may call, what a request and an answer must be, errors included. */
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from "express";
import { middleware } from "express-openapi-validator";
import { jsonBody, type WrapBodyReader } from "./body/json-body.ts";
import { type Contract, operationsOf, parametersOf } from "./contract.ts";
import { errorMapper, nothingAnswered, type OnFailure, type Translate, UnknownPath } from "./error-mapper.ts";
import { methodNotAllowed } from "./errors.ts";
import { aliased, type Described, describedBy, findOperation, pathMeant, pathParameters } from "./operations.ts";
import { plainForm } from "./request-form.ts";
import { authenticate, type FindCaller, keySchemeOf, needsKey, requireScopes, type Scoped } from "./security.ts";

/** What surrounds the handlers. */
type Enforcement = {
  contract: Contract;
  /** Paths of the server besides the contract's, which a client with an unknown path may have meant. */
  pages?: readonly string[];
  findCaller: FindCaller<Scoped>;
  translate?: Translate;
  onFailure: OnFailure;
  /** Runs once the key was looked up, and before anything else of the request is read. */
  admit?: readonly RequestHandler[];
  wrapBodyReader?: WrapBodyReader;
};

/**
 * Adds to an app what a request passes through, in order, with `answer` in the middle.
 *
 * @throws when the contract is not a valid document
 */
export async function enforce(
  app: Express,
  answer: RequestHandler,
  { contract, pages, findCaller, onFailure, translate, admit = [], wrapBodyReader }: Enforcement,
): Promise<void> {
  app.use("/v1", noStoring);
  const keyed = Router().use(authenticate(findCaller, keySchemeOf(contract)), ...admit);
  app.use((request, response, next) => (needsKey(request) ? keyed(request, response, next) : next()));
  app.use(plainForm(contract), await createValidator(contract, wrapBodyReader), answer);
  app.use(nothingAnswered, errorMapper(onFailure, translate, pathMeant(contract, pages)));
}

/** Whether a path is below the contract's version. The contract then answers, if only that there is no such path. */
export function isContractPath(path: string): boolean {
  return path === "/v1" || path.startsWith("/v1/");
}

/** Makes an app's routing as exact as the contract's paths, without headers of Express's own. */
export function exact(app: Express): Express {
  // To `if-none-match: *` Express answers 304, which the contract does not have. What has no entity tag has nothing to compare.
  const inherited: object = Object.getPrototypeOf(app.request);
  Object.defineProperty(app.request, "fresh", {
    get(this: Request) {
      return this.res?.get("etag") !== undefined && Reflect.get(inherited, "fresh", this);
    },
  });
  return app.enable("case sensitive routing").enable("strict routing").disable("x-powered-by").disable("etag");
}

/** Answers hold secrets, and are true for a moment only. Nobody needs to know which software answers. */
const noStoring: RequestHandler = (_request, response, next) => {
  response.set("cache-control", "no-store").removeHeader("x-powered-by");
  next();
};

type DescribedRequest = Request & { openapi?: Described };

/** Of each contract the checks of what is no body. Compiling takes 200 ms of processor, and a process may have several servers. */
const compiled = new WeakMap<Contract, Promise<RequestHandler[]>>();

/**
 * express-openapi-validator reads the document, and checks parameters and answers against its schemas. Left alone, it would find a request's
 * operation by compiling the pattern of each path again, and look at its security in ten promises. Here it is asked once for each operation,
 * at the start. That cut the processor time of enforcement, without handlers, from 183 to 78 µs for a read and from 269 to 129 µs for a
 * creation. The library still answers what is no operation. Bodies come last: nothing of one is read before everything else of its request
 * is valid.
 * Makes the validator and lets it load the contract now, not at the first request.
 *
 * @throws when the contract is not a valid document
 */
async function createValidator(contract: Contract, wrapBodyReader?: WrapBodyReader): Promise<RequestHandler[]> {
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
    const path = request.originalUrl.split("?", 1)[0] ?? "";
    const found = findOperation(request.method, path);
    const known = found && described.get(found.operationId);
    const parameters = known && pathParametersOf(request, found);
    const alias = found ? undefined : aliased(path);
    // The library knows no aliases.
    if (alias && described.has(alias.operationId)) return next(methodNotAllowed(alias.method));
    if (!parameters) {
      // The library ignores a slash at a path's end.
      const exactly: NextFunction = (error?: unknown) =>
        next(error ?? (describedBy(request) ? new UnknownPath() : undefined));
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
