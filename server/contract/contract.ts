/** The contract as it is enforced: the closed bundle in generated/. The published one lets answers have fields that it does not know. */
import { readFile } from "node:fs/promises";

const folder = new URL("../../generated/", import.meta.url);

type Reference = { $ref?: string };

/** A response, or a reference to one. */
export type ResponseObject = Reference & { headers?: Record<string, { required?: boolean }> };

/** A request body, or a reference to one. */
export type RequestBodyObject = Reference & { content?: Record<string, { schema?: object }> };

/** A parameter, or a reference to one. */
export type ParameterObject = Reference & {
  name?: string;
  in?: string;
  allowReserved?: boolean;
  schema?: Reference & { type?: unknown };
};

export type OperationObject = {
  operationId?: string;
  parameters?: ParameterObject[];
  requestBody?: RequestBodyObject;
  responses?: Record<string, ResponseObject>;
};

/** How a request shows who sends it. */
export type SecurityScheme = { type?: string; in?: string; name?: string; scheme?: string };

/** The parts of an OpenAPI document that the server reads. */
export type Contract = {
  openapi: string;
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, unknown>;
    parameters?: Record<string, ParameterObject>;
    responses?: Record<string, ResponseObject>;
    securitySchemes?: Record<string, SecurityScheme>;
  };
};

/** Reads one of the documents in generated/. */
function readGenerated(name: string): Promise<Buffer> {
  return readFile(new URL(name, folder));
}

let loaded: Promise<Contract> | undefined;

/** Reads the contract, once for the process: who changes it copies it first. */
export function loadContract(): Promise<Contract> {
  loaded ??= readGenerated("openapi-closed.json").then((text) => JSON.parse(text.toString()) as Contract);
  return loaded;
}

/** An operation, and where it is. */
export type LocatedOperation = OperationObject & { operationId: string; method: string; path: string };

/** Every operation of the contract's paths. */
export function operationsOf({ paths }: Contract): LocatedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId, ...operation }]) =>
      operationId === undefined ? [] : [{ ...operation, operationId, method, path }],
    ),
  );
}

/** Every parameter of the contract's paths and operations; one that several refer to is there as often. */
export function parametersOf(contract: Contract): ParameterObject[] {
  return Object.values(contract.paths)
    .flatMap((item) => [item as OperationObject, ...Object.values(item)])
    .flatMap(({ parameters = [] }) => parameters)
    .map((parameter) => resolved(contract, parameter));
}

/** Follows references until there is none. */
export function resolved<T extends Reference>(document: unknown, value: T): T {
  let at = value;
  while (at.$ref !== undefined)
    at = at.$ref
      .split("/")
      .slice(1)
      .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], document) as T;
  return at;
}
