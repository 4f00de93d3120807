/** The contract's operations as an agent needs them: which can change something, and whether a call is as the contract wants it. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { type OperationId, operationTable, requiredScopes } from "../../../generated/operations.ts";
import { bodyChecks } from "../../../server/contract/body/check.ts";
import { loadContract } from "../../../server/contract/contract.ts";
import { HttpError } from "../../../server/contract/errors.ts";
import { displayName, type ValidationFault, validationMessage } from "../../../server/contract/validation-message.ts";
import type { JsonObject } from "../../document/json.ts";
import { didYouMean } from "../did-you-mean.ts";
import { ToolFailure } from "./answers.ts";
import { document, type Parameter, places, toolOperation, toolOperationIds, toolParameters } from "./contract.ts";

type Place = (typeof places)[keyof typeof places];

/** A call of an operation, in the parts that our client takes. */
export type ToolCall = { [Part in Place]?: Record<string, unknown> } & { body?: unknown };

/** Whether an operation can change something. HTTP says that GET does not; nor does what a key may do that only reads. */
export const writes = (id: OperationId): boolean => operationTable[id].method !== "get" && scopeOf(id) !== "read";

/** The operations that change nothing, or the others, in the contract's order. */
export const operationsThat = (write: boolean): OperationId[] => toolOperationIds.filter((id) => writes(id) === write);

/** Such as `DELETE /v1/webhooks/{id}`. */
export const routeOf = (id: OperationId): string => {
  const { method, path } = operationTable[id];
  return `${method.toUpperCase()} ${path}`;
};

/** The scope that a key needs; undefined where none is needed. */
export const scopeOf = (id: OperationId): string | undefined =>
  (requiredScopes as Partial<Record<OperationId, readonly string[]>>)[id]?.join(" and ");

/** @throws {ToolFailure} for a name that the contract does not have; it says which is near */
export function operationNamed(name: unknown): OperationId {
  const found = toolOperationIds.find((id) => id === name);
  if (found) return found;
  const given = typeof name === "string" ? displayName(name) : undefined;
  throw new ToolFailure(
    given === undefined
      ? "operationId must be the name of an operation. search_operations lists them."
      : `There is no operation ${given}${didYouMean(given.slice(0, 50), toolOperationIds)} search_operations lists them.`,
  );
}

/** Whether an operation takes a body. */
export const takesBody = (id: OperationId): boolean => toolOperation(id).requestBody !== undefined;

// The contract's schemas are known to be schemas; checking that takes longer than the rest of the start.
const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  allErrors: true,
  coerceTypes: true,
  meta: false,
  validateSchema: false,
});
const compiled = new Map<string, ValidateFunction>();
let bodies: ReturnType<typeof bodyChecks> | undefined;

/**
 * Checks a call by the contract's schemas, in the service's own words. Numbers may be given as text.
 *
 * @throws {ToolFailure} that names the field and what it must be
 */
export async function checkedCall(id: OperationId, given: ToolCall): Promise<ToolCall> {
  const call: ToolCall = {};
  for (const [place, part] of Object.entries(places) as [keyof typeof places, Place][]) {
    const values = { ...given[part] };
    const faults = faultsOf(id, place, values);
    if (faults.length > 0) throw new ToolFailure(`Nothing was sent: ${faults.join(" ")}`);
    if (Object.keys(values).length > 0) call[part] = values;
  }
  bodies ??= bodyChecks(await loadContract());
  const check = bodies.get(id);
  if (!check && given.body !== undefined) throw new ToolFailure(`Nothing was sent: ${id} takes no body.`);
  if (!check) return call;
  if (typeof given.body !== "object" || given.body === null)
    throw new ToolFailure("Nothing was sent: The body is required and must be a JSON object.");
  try {
    check(given.body);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new ToolFailure(`Nothing was sent: ${error.message}`);
  }
  return { ...call, body: given.body };
}

/** @param values are coerced to the types of their schemas */
function faultsOf(id: OperationId, place: keyof typeof places, values: Record<string, unknown>): string[] {
  const parameters = toolParameters(id).filter((parameter) => parameter.in === place);
  const names = parameters.map(({ name }) => name);
  const unknown = Object.keys(values).filter((name) => !names.includes(name));
  const sentences = unknown
    .slice(0, 10)
    .map((name) => `${places[place]}.${displayName(name)} is not a parameter of ${id}${nearest(name, names)}`);
  const key = `${id} ${place}`;
  const validate = compiled.get(key) ?? ajv.compile(schemaOf(parameters));
  compiled.set(key, validate);
  if (!validate(values)) sentences.push(validationMessage((validate.errors ?? []).map((error) => fault(place, error))));
  return sentences;
}

function nearest(name: string, names: readonly string[]): string {
  if (names.length === 0) return "; it has none there.";
  const meant = didYouMean(name.slice(0, 50), names);
  return meant === "." ? `; it has ${names.join(", ")}.` : meant;
}

function schemaOf(parameters: readonly Parameter[]): JsonObject {
  return {
    type: "object",
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    components: document.components,
  };
}

/** Ajv's fault as the service's validator would report it. */
function fault(place: string, { keyword, instancePath, message = "", params }: ErrorObject): ValidationFault {
  const root = `/${place === "header" ? "headers" : place}`;
  if (keyword === "required") return { path: `${root}/${params.missingProperty}`, message, errorCode: keyword };
  const said = keyword === "enum" ? `${message}: ${params.allowedValues.join(", ")}` : message;
  return { path: root + instancePath, message: said, errorCode: keyword };
}

/** What an operation does, in the contract's words. */
export function summaryOf(id: OperationId): string {
  return String(toolOperation(id).summary ?? id);
}
