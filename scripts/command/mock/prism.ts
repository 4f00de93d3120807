/**
 * Prism as a library: it finds the answer among the contract's examples. What its own server lacks, or does not survive, is done
 * by ours in front of it: validation in the contract's words, paths it cannot decode, signatures.
 */

import { requirePeer } from "../../../server/base/optional-peers.ts";
import type { Contract } from "../../../server/contract/contract.ts";
import type { ExampleAnswer, FindExample } from "./answer.ts";

/** Validation is done before; what Prism makes up is not wanted. */
const settings = {
  isProxy: false,
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  errors: false,
  mock: { dynamic: false },
};

type Request = { method: string; url: { path: string }; headers: Record<string, string> };
type Result = { _tag: "Left"; left: Error } | { _tag: "Right"; right: { output: ExampleAnswer } };

/** What is used of @stoplight/prism-http, which comes with the CLI; its own types need packages that we do not have. */
type PrismHttp = {
  getHttpOperationsFromSpec(document: unknown): Promise<unknown[]>;
  createInstance(
    defaults: typeof settings,
    components: { logger: object },
  ): { request(request: Request, operations: unknown[], config: typeof settings): () => Promise<Result> };
};

/** Of each contract. Prism remembers nothing, so all mocks of a process share it. */
const made = new WeakMap<Contract, Promise<FindExample>>();

/** Prism is loaded when it is first needed, since it takes longest of all that a mock loads. @throws {ServiceError} `package_missing` */
export function createPrism(contract: Contract): FindExample {
  const load = requirePeer("@stoplight/prism-cli", "The mock needs Prism");
  return async (request, preference) => {
    const prism = made.get(contract) ?? makePrism(contract, load);
    made.set(contract, prism);
    return (await prism)(request, preference);
  };
}

async function makePrism(contract: Contract, load: NodeJS.Require): Promise<FindExample> {
  const { createInstance, getHttpOperationsFromSpec }: PrismHttp = load("@stoplight/prism-http");
  const operations = await getHttpOperationsFromSpec(forPrism(contract));
  const prism = createInstance(settings, { logger: silence() });
  return async ({ method, path }, preference) => {
    const request = { method: method.toLowerCase(), url: { path }, headers: {} };
    const config = { ...settings, mock: { ...settings.mock, ...preference } };
    const result = await prism.request(request, operations, config)();
    if (result._tag === "Left") throw result.left;
    return result.right.output;
  };
}

function silence(): object {
  const levels = ["trace", "debug", "info", "success", "warn", "error", "fatal"];
  const logger: Record<string, unknown> = Object.fromEntries(levels.map((level) => [level, () => undefined]));
  logger.child = () => logger;
  return logger;
}

type Extras = { callbacks?: unknown; security?: unknown };

/** Without callbacks, which Prism would send unsigned and for refused requests too, and without security, which is enforced before. */
function forPrism(contract: Contract): Contract {
  const copy: Contract & Extras = structuredClone(contract);
  delete copy.security;
  for (const operation of Object.values(copy.paths).flatMap((item) => Object.values(item)) as Extras[]) {
    delete operation.callbacks;
    delete operation.security;
  }
  return copy;
}
