/** A UUID may come in any letter case (RFC 9562) and is lower case from here on, for handlers and for an app's own routes alike. */
import type { Request } from "express";
import type { Contract, ParameterObject } from "./contract.ts";
import type { FoundOperation } from "./operation-of-path.ts";

type Parameters = Record<string, string>;

/** Prepares it. @returns what gives the path's parameters, and the request's url, their canonical form */
export function canonicalPaths(
  contract: Contract,
): (request: Request, found: FoundOperation, given: Parameters) => Parameters {
  const names = uuidsOf(contract);
  return (request, { parameters: written }, given) => {
    const canonical = { ...given };
    for (const [name, value] of Object.entries(given)) {
      const lower = value.toLowerCase();
      if (lower === value || !names.has(name)) continue;
      canonical[name] = lower;
      request.url = request.url.replace(`/${written[name]}`, `/${encodeURIComponent(lower)}`);
    }
    return canonical;
  };
}

/** The names of the parameters in paths that are UUIDs. */
function uuidsOf({ paths, components }: Contract): ReadonlySet<string | undefined> {
  const inPaths = Object.values(paths).flatMap((item) => (item.parameters ?? []) as ParameterObject[]);
  const parameters = [...inPaths, ...Object.values(components.parameters ?? {})];
  const uuids = parameters.filter((parameter) => parameter.in === "path" && parameter.schema?.$ref === uuid);
  return new Set(uuids.map(({ name }) => name));
}

const uuid = "#/components/schemas/UuidInput";
