/** Every operation of the contract, read from the document itself, so that a new one is seen by the tests that try them all. */
import { type OperationId, requiredScopes } from "../../generated/operations.ts";
import { loadContract } from "../../server/contract/contract.ts";
import type { Api, Call, Reply } from "./api.ts";

type Parameter = { name: string; in: "path" | "query" | "header"; required?: boolean; example?: unknown };
type MediaType = { examples?: Record<string, { value: unknown } | { $ref: string }>; example?: unknown };
type DocumentedOperation = {
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: Body | { $ref: string };
};
type Body = { content: Record<string, MediaType> };

export type Operation = {
  id: string;
  method: string;
  /** With the names of its parameters in braces. */
  path: string;
  /** The scope that it asks for; undefined where no key is needed. */
  scope: "read" | "write" | undefined;
  pathParameters: string[];
  queryParameters: string[];
  /** The query that it asks for, such as `?txHash=0x…`; empty for most. */
  requiredQuery: string;
  /** A body that it takes. */
  body: unknown;
};

const contract = (await loadContract()) as unknown as {
  paths: Record<string, Record<string, unknown> & { parameters?: DocumentedOperation["parameters"] }>;
  components: {
    parameters: Record<string, Parameter>;
    requestBodies: Record<string, Body>;
    examples: Record<string, { value: unknown }>;
  };
};
const methods = ["get", "post", "put", "patch", "delete"];

export const operations: readonly Operation[] = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => methods.includes(method))
    .map(([method, documented]) => read(path, method, documented as DocumentedOperation, item.parameters)),
);

function read(
  path: string,
  method: string,
  { operationId, parameters = [], requestBody }: DocumentedOperation,
  shared: DocumentedOperation["parameters"] = [],
): Operation {
  const all = [...shared, ...parameters].map((one) => resolve<Parameter>(one, contract.components.parameters));
  const required: Partial<Record<OperationId, readonly ("read" | "write")[]>> = requiredScopes;
  const [scope] = required[operationId as OperationId] ?? [];
  return {
    ...{ id: operationId, method: method.toUpperCase(), path, scope },
    pathParameters: all.filter((parameter) => parameter.in === "path").map(({ name }) => name),
    queryParameters: all.filter((parameter) => parameter.in === "query").map(({ name }) => name),
    requiredQuery: queryOf(all.filter((parameter) => parameter.in === "query" && parameter.required)),
    body: requestBody && exampleOf(resolve<Body>(requestBody, contract.components.requestBodies)),
  };
}

function queryOf(parameters: readonly Parameter[]): string {
  const query = new URLSearchParams(parameters.map(({ name, example }) => [name, String(example)]));
  return parameters.length === 0 ? "" : `?${query}`;
}

function resolve<T extends object>(given: T | { $ref: string }, components: Record<string, T>): T {
  if (!("$ref" in given)) return given;
  const found = components[given.$ref.split("/").pop() ?? ""];
  if (!found) throw new Error(`There is no ${given.$ref}.`);
  return found;
}

function exampleOf({ content }: Body): unknown {
  const [media] = Object.values(content);
  const [first] = Object.values(media?.examples ?? {});
  return first ? resolve<{ value: unknown }>(first, contract.components.examples).value : media?.example;
}

/** Calls an operation. @param values of its path's parameters @throws for a parameter without a value: a new one needs its own */
export function callOperation(
  api: Api,
  { method, path, body, requiredQuery }: Operation,
  values: Readonly<Record<string, string>>,
  call: Call = {},
  query = "",
): Promise<Reply> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The test has no value for {${name}} of ${path}.`);
    return value;
  });
  return api.call(method, filled + (query || requiredQuery), { ...(body !== undefined && { body }), ...call });
}
