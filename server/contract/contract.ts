/** The contract as it is enforced: the closed bundle in generated/. The published one lets answers have fields that it does not know. */
import { readFile } from "node:fs/promises";
import { operationTable } from "../../generated/operations.ts";

const folder = new URL("../../generated/", import.meta.url);

type Reference = { $ref?: string };

/** A response, or a reference to one. */
export type ResponseObject = Reference & { headers?: Record<string, { required?: boolean }> };

/** A request body, or a reference to one. */
type RequestBodyObject = Reference & { content?: Record<string, { schema?: object }> };

/** A parameter, or a reference to one. */
type ParameterObject = Reference & {
  name?: string;
  in?: string;
  allowReserved?: boolean;
  schema?: Reference & { type?: unknown };
};

type OperationObject = {
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

type Closable = { additionalProperties?: unknown } | undefined;

/**
 * What must be true of a document that somebody changed, by an overlay or by hand, before a server is held to it.
 * Checks that a document has operations of the contract only, where the contract has them, and that its answers are closed.
 *
 * @throws with what is wrong
 */
export async function checkedDocument(document: object): Promise<Contract> {
  const changed = document as Contract;
  if (!changed.paths || !changed.components?.schemas)
    throw new Error("document must be an OpenAPI document with paths and schemas.");
  for (const { operationId, method, path } of operationsOf(changed)) {
    const own = Object.hasOwn(operationTable, operationId)
      ? operationTable[operationId as keyof typeof operationTable]
      : undefined;
    if (!own) throw new Error(`document must have operations of the contract only, and not ${operationId}.`);
    if (own.method !== method || own.path !== path)
      throw new Error(`document must have ${operationId} at ${own.method.toUpperCase()} ${own.path}.`);
  }
  const { components } = await loadContract();
  for (const [name, schema] of Object.entries(components.schemas)) {
    const theirs = changed.components.schemas[name] as Closable;
    if ((schema as Closable)?.additionalProperties === false && theirs && theirs.additionalProperties !== false)
      throw new Error(`document must be made from openapi-closed.json: its ${name} allows further fields.`);
  }
  return changed;
}
