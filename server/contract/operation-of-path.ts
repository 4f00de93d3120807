/** Finds the contract's operation that a request is for: once prepared, without trying each path's pattern in turn. */
import type { Request } from "express";
import type { Contract } from "./contract.ts";

/** An operation of the contract, and what stands in the path for its parameters, as the client wrote it. */
export type FoundOperation = { operationId: string; path: string; parameters: Readonly<Record<string, string>> };

type Template = { path: string; segments: string[]; methods: Map<string, string> };

/**
 * Prepares the search.
 *
 * @returns what finds the operation of a method and a path, the path without its query; undefined where the contract has none
 */
export function operationFinder({ paths }: Contract): (method: string, path: string) => FoundOperation | undefined {
  const templates: Template[] = Object.entries(paths).map(([path, item]) => ({
    path,
    segments: path.split("/"),
    methods: new Map(
      Object.entries(item).flatMap(([method, { operationId }]) =>
        operationId === undefined ? [] : [[method.toUpperCase(), operationId] as const],
      ),
    ),
  }));
  const byLength = groupedByLength(templates);
  return (method, path) => {
    const segments = path.split("/");
    const template = byLength.get(segments.length)?.find((one) => fits(one.segments, segments));
    const operationId = template?.methods.get(method);
    if (!template || operationId === undefined) return undefined;
    const parameters: Record<string, string> = {};
    for (const [index, segment] of template.segments.entries())
      if (isParameter(segment)) parameters[segment.slice(1, -1)] = segments[index] ?? "";
    return { operationId, path: template.path, parameters };
  };
}

/** What the validator puts at a request that is for one of the contract's operations. */
export type Described = { pathParams: Record<string, string>; schema: { operationId?: string } };

/** The validator's word on a request that it has seen; undefined where it is for none of the contract's operations. */
export function describedBy(request: Request): Described | undefined {
  return (request as { openapi?: Described }).openapi;
}

/** The operation that a request is for, once the validator has seen it; undefined where there is none. */
export function operationOf(request: Request): string | undefined {
  return describedBy(request)?.schema.operationId;
}

const isParameter = (segment: string) => segment.startsWith("{");

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return template.every((part, index) => (isParameter(part) ? segments[index] !== "" : part === segments[index]));
}

function groupedByLength(templates: readonly Template[]): ReadonlyMap<number, Template[]> {
  const grouped = new Map<number, Template[]>();
  for (const template of templates) {
    const { length } = template.segments;
    grouped.set(length, [...(grouped.get(length) ?? []), template]);
  }
  return grouped;
}
