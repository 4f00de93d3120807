/** Writes `generated/operations.ts`: what the client, the server and the tools must know of each operation at run time. */

/** The parts of the contract that the module is made from. */
export type TableContract = {
  security?: Requirement[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    parameters: Record<string, { name: string }>;
    securitySchemes: { apiKey: { name: string } };
  };
};
type Operation = {
  operationId?: string;
  parameters?: ({ $ref: string } | { name: string })[];
  security?: Requirement[];
};
type Requirement = Record<string, string[]>;

/** @throws when an operation is protected by anything but one API key */
export function operationsModule(contract: TableContract): string {
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId, ...operation }]) =>
      operationId === undefined ? [] : [{ operationId, method, path, ...operation }],
    ),
  );
  const rows = operations.map(({ operationId, method, path, parameters = [] }) => {
    const names = parameters.map((one) => ("name" in one ? one.name : parameterName(contract, one.$ref)));
    const idempotencyKey = names.includes("Idempotency-Key") ? ", idempotencyKey: true" : "";
    return `  ${operationId}: { method: "${method}", path: "${path}"${idempotencyKey} },`;
  });
  const keyed = operations.flatMap(({ operationId, security = contract.security ?? [] }) => {
    const scopes = scopesOf(operationId, security);
    return scopes ? [`  ${operationId}: [${scopes.map((scope) => `"${scope}"`).join(", ")}],`] : [];
  });
  return `
/** The request header that carries the API key. */
export const apiKeyHeader = "${contract.components.securitySchemes.apiKey.name}";

/** Method and path of each operation, by its operationId, and whether it takes an \`Idempotency-Key\`. */
export const operationTable = {
${rows.join("\n")}
} as const;

/** The operationIds of the contract. */
export type OperationId = keyof typeof operationTable;

/** The operations that need an API key, each with the scopes that the key must have. */
export const requiredScopes = {
${keyed.join("\n")}
} as const;
`;
}

function parameterName({ components }: TableContract, ref: string): string | undefined {
  return components.parameters[ref.replace("#/components/parameters/", "")]?.name;
}

function scopesOf(operationId: string, [requirement, ...others]: readonly Requirement[]): string[] | undefined {
  if (!requirement) return undefined;
  if (others.length > 0 || !requirement.apiKey || Object.keys(requirement).length > 1)
    throw new Error(`The operation ${operationId} must be protected by one API key, or by nothing.`);
  return requirement.apiKey;
}
