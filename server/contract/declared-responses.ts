/** What the contract declares of an operation's responses beside their bodies. */
import type { Contract, ResponseObject } from "./contract.ts";

/** Of each operation the statuses it may answer with, and of each the headers it must have. */
export type DeclaredResponses = ReadonlyMap<string, ReadonlyMap<number, readonly string[]>>;

/** Reads them. Responses of the components are looked up; headers that are components themselves are none that must be there. */
export function declaredResponses(contract: Contract): DeclaredResponses {
  const operations = Object.values(contract.paths).flatMap((item) => Object.values(item));
  return new Map(
    operations.flatMap(({ operationId, responses = {} }) => {
      if (operationId === undefined) return [];
      const statuses = Object.entries(responses).map(
        ([status, response]) => [Number(status), requiredHeaders(contract, response)] as const,
      );
      return [[operationId, new Map(statuses)] as const];
    }),
  );
}

function requiredHeaders({ components }: Contract, given: ResponseObject): string[] {
  const name = given.$ref?.split("/").at(-1);
  const response = name === undefined ? given : components.responses?.[name];
  return Object.entries(response?.headers ?? {}).flatMap(([header, { required }]) => (required ? [header] : []));
}
