/** The tool that describes one operation, from the contract. */
import type { OperationId } from "../../../../generated/operations.ts";
import { asArray, asObject, isObject, type Json, type JsonObject, resolvedObject } from "../../../document/json.ts";
import { answersOf, document, mediaOf, places, toolOperation, toolOperationIds, toolParameters } from "../contract.ts";
import { operationNamed, routeOf, scopeOf, writes } from "../operations.ts";
import { readOnly, type Tool } from "../tool.ts";
import { toolFor } from "./call.ts";

/** `describe_operation`. */
export const describeOperation: Tool = {
  name: "describe_operation",
  title: "Describe an operation",
  description: "Describes an operation of the webhooks API: what it does, takes, answers and refuses, with an example.",
  inputSchema: {
    type: "object",
    required: ["operationId"],
    additionalProperties: false,
    properties: { operationId: { type: "string", enum: [...toolOperationIds], description: "The operation's name." } },
  },
  annotations: readOnly(false),
  refuse({ operationId }) {
    operationNamed(operationId);
    return undefined;
  },
  async run({ operationId }) {
    const parts = Object.entries(descriptionOf(operationNamed(operationId)));
    return {
      says: parts
        .map(([name, part]) => `${name}: ${typeof part === "string" ? part : JSON.stringify(part)}`)
        .join("\n"),
    };
  },
};

function descriptionOf(id: OperationId): JsonObject {
  const { summary, description, requestBody } = toolOperation(id);
  const [success, ...errors] = answersOf(id);
  const [body, answer] = [shownMedia(requestBody), shownMedia(success)];
  return {
    ...{ operationId: id, route: routeOf(id), summary, description },
    ...{ effect: writes(id) ? "writes" : "reads", scope: scopeOf(id) ?? "no key needed" },
    // Before what is long, so that the first part of the answer has it whole.
    example: { tool: toolFor(id).name, arguments: exampleOf(id, body?.example) },
    parameters: parametersIn(id),
    ...(body && { body: { required: true, schema: body.schema } }),
    answer: { status: success?.status, description: success?.description, ...answer },
    errors: Object.fromEntries(errors.map(({ status, description: reason }) => [status, reason])),
  };
}

function parametersIn(id: OperationId): JsonObject[] {
  return toolParameters(id).map(({ name, in: place, required, schema, description, example }) => ({
    in: places[place],
    name,
    required,
    description,
    schema: inlined(schema),
    example,
  }));
}

/** The arguments of a call, by the examples of the contract. */
function exampleOf(id: OperationId, body: Json | undefined): JsonObject {
  const example: JsonObject = { operationId: id };
  for (const { name, in: place, required, example: value, schema } of toolParameters(id)) {
    if (!required) continue;
    const part = places[place];
    example[part] = { ...asObject(example[part]), [name]: value ?? resolvedObject(document, schema).example };
  }
  return body === undefined ? example : { ...example, body };
}

/** The schema and the first example of a body or an answer. */
function shownMedia(value: Json | undefined): { schema: Json; example: Json | undefined } | undefined {
  const { schema, examples } = mediaOf(value);
  if (schema === undefined) return undefined;
  const [first] = Object.values(asObject(examples));
  return { schema: inlined(schema), example: first === undefined ? undefined : resolvedObject(document, first).value };
}

/**
 * A schema with what it refers to in place. A schema within itself is left as a reference. Examples of single fields are left out,
 * since one of the whole follows; so is `additionalProperties: false`, since answers get more fields in time.
 */
function inlined(value: Json, within: readonly Json[] = []): Json {
  if (Array.isArray(value)) return asArray(value).map((item) => inlined(item, within));
  if (!isObject(value)) return value;
  const { $ref } = value;
  if ($ref !== undefined && within.includes($ref)) return { $ref };
  const inside = $ref === undefined ? within : [...within, $ref];
  const isLeftOut = (key: string, inner: Json | undefined) =>
    (key === "example" && !isObject(inner)) || (key === "additionalProperties" && inner === false);
  const entries = Object.entries(resolvedObject(document, value)).filter(([key, inner]) => !isLeftOut(key, inner));
  return Object.fromEntries(entries.map(([key, inner]) => [key, inner === undefined ? inner : inlined(inner, inside)]));
}
