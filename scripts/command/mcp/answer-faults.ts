/** Whether an answer is what the contract says. More fields and more values of enumerations are fine: within /v1, both are added. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { OperationId } from "../../../generated/operations.ts";
import { isObject, type Json, type JsonObject } from "../../document/json.ts";
import { answersOf, document, mediaOf } from "./contract.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false, meta: false, validateSchema: false });
const components = opened(document.components ?? {});
const compiled = new Map<OperationId, ValidateFunction>();

/** @returns what is wrong first, with its place; empty when nothing is */
export function faultsOfApiAnswer(id: OperationId, body: unknown): string[] {
  const validate = compiled.get(id) ?? ajv.compile(schemaOf(id));
  compiled.set(id, validate);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `body${instancePath.replaceAll("/", ".")} ${message}`,
  );
}

function schemaOf(id: OperationId): JsonObject {
  const { schema } = mediaOf(answersOf(id)[0]);
  return { allOf: [schema ?? {}], components };
}

function opened(value: Json): Json {
  if (Array.isArray(value)) return value.map(opened);
  if (!isObject(value)) return value;
  const { additionalProperties, enum: values, ...rest } = value;
  const entries = Object.entries(rest).map(([key, inner]) => [key, inner === undefined ? inner : opened(inner)]);
  const kept = additionalProperties === undefined || additionalProperties === false ? {} : { additionalProperties };
  // Still one word, since tools quote it in sentences of their own.
  return { ...Object.fromEntries(entries), ...kept, ...(values !== undefined && { pattern: "^[A-Za-z0-9_.]{1,64}$" }) };
}
