/** Finds the contract's operation of a request: prepared once, without trying each path's pattern in turn. */
import type { Request } from "express";
import { type OperationId, operationTable } from "../../generated/operations.ts";
import { type Contract, parametersOf } from "./contract.ts";

/** An operation, and the parameters in the path as the client wrote them. */
export type FoundOperation = { operationId: OperationId; parameters: Readonly<Record<string, string>> };

type Template = { segments: string[]; methods: Map<string, OperationId> };

const templates = new Map<string, Template>();
for (const [operationId, { method, path }] of Object.entries(operationTable)) {
  const template = templates.get(path) ?? { segments: path.split("/"), methods: new Map() };
  template.methods.set(method.toUpperCase(), operationId as OperationId);
  templates.set(path, template);
}

const parametersIn = ({ segments }: Template) => segments.filter(isParameter).length;

/** The contract's paths, by how many segments they have. A path without parameters is found before one that it fits. */
const byLength = new Map<number, Template[]>();
for (const template of [...templates.values()].sort((a, b) => parametersIn(a) - parametersIn(b))) {
  const { length } = template.segments;
  byLength.set(length, [...(byLength.get(length) ?? []), template]);
}

/** @param path without its query @returns undefined for what the contract does not have */
export function findOperation(method: string, path: string): FoundOperation | undefined {
  const segments = path.split("/");
  const template = byLength.get(segments.length)?.find((one) => fits(one.segments, segments));
  // HEAD is answered as GET is.
  const operationId = template?.methods.get(method === "HEAD" ? "GET" : method);
  if (!template || operationId === undefined) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of template.segments.entries())
    if (isParameter(segment)) parameters[segment.slice(1, -1)] = segments[index] ?? "";
  return { operationId, parameters };
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return template.every((part, index) => (isParameter(part) ? segments[index] !== "" : part === segments[index]));
}

/** What the validator notes at a request of one of the contract's operations. */
export type Described = { pathParams: Record<string, string>; schema: { operationId?: string } };

/** @returns undefined before the validator has seen the request, and for what the contract does not have */
export function describedBy(request: Request): Described | undefined {
  return (request as { openapi?: Described }).openapi;
}

/** The operation of a request, once the validator has seen it. */
export function operationOf(request: Request): string | undefined {
  return describedBy(request)?.schema.operationId;
}

type Parameters = Record<string, string>;

/**
 * Brings the path's parameters, and the request's url, into their one form: decoded, and UUIDs in lower case. A client may write a
 * UUID in any letter case (RFC 9562). Handlers and an app's own routes see it in lower case.
 *
 * @returns what does it; that returns undefined where a parameter is not validly percent-encoded
 */
export function pathParameters(
  contract: Contract,
): (request: Request, found: FoundOperation) => Parameters | undefined {
  const uuids = uuidsOf(contract);
  return (request, { parameters: written }) => {
    const parameters = decoded(written);
    for (const [name, value] of Object.entries(parameters ?? {})) {
      const lower = value.toLowerCase();
      if (!parameters || lower === value || !uuids.has(name)) continue;
      parameters[name] = lower;
      request.url = request.url.replace(`/${written[name]}`, `/${encodeURIComponent(lower)}`);
    }
    return parameters;
  };
}

/** The names of the parameters in paths that are UUIDs. */
function uuidsOf(contract: Contract): ReadonlySet<string | undefined> {
  const uuids = parametersOf(contract).filter(({ in: place, schema }) => place === "path" && schema?.$ref === uuid);
  return new Set(uuids.map(({ name }) => name));
}

const uuid = "#/components/schemas/UuidInput";

function decoded(parameters: Readonly<Parameters>): Parameters | undefined {
  try {
    return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}
