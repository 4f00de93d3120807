/** The tool that describes one operation, from the contract. */
import type { OperationId } from "../../../../generated/operations.ts";
import { loadContract } from "../../../../server/contract/contract.ts";
import { asArray, asObject, isObject, type Json, type JsonObject, resolved } from "../../../document/json.ts";
import { described, operationIds, statusesOf, successOf } from "../../conformance/contract.ts";
import { operationNamed, parametersOf, places, routeOf, scopeOf, writes } from "../operations.ts";
import { readOnly, type Tool } from "../tool.ts";
import { toolFor } from "./call.ts";

const contract = (await loadContract()) as unknown as JsonObject;

/** `describe_operation`. */
export const describeOperation: Tool = {
  name: "describe_operation",
  title: "Describe an operation",
  description: "Describes an operation of the webhooks API: what it does, takes, answers and refuses, with an example.",
  inputSchema: {
    type: "object",
    required: ["operationId"],
    additionalProperties: false,
    properties: { operationId: { type: "string", enum: [...operationIds], description: "The operation's name." } },
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
  const { summary, description, requestBody, responses } = described(id);
  const body = mediaOf(requestBody);
  const [success, ...errors] = statusesOf(id).map(
    (status) => [status, resolved(contract, asObject(responses)[status])] as const,
  );
  const answer = mediaOf(success?.[1]);
  return {
    operationId: id,
    route: routeOf(id),
    summary,
    description,
    effect: writes(id) ? "writes" : "reads",
    scope: scopeOf(id) ?? "no key needed",
    parameters: parametersIn(id),
    ...(body && { body: { schema: body.schema, required: true } }),
    answer: {
      status: successOf(id),
      description: success?.[1].description,
      schema: answer?.schema,
      example: answer?.example,
    },
    errors: Object.fromEntries(errors.map(([status, { description: reason }]) => [status, reason])),
    example: { tool: toolFor(id).name, arguments: exampleOf(id, body?.example) },
  };
}

function parametersIn(id: OperationId): JsonObject[] {
  return parametersOf(id).map(({ name, in: place, required, schema, description, example }) => ({
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
  for (const { name, in: place, required, example: value, schema } of parametersOf(id)) {
    if (!required) continue;
    const part = places[place];
    example[part] = { ...asObject(example[part]), [name]: value ?? resolved(contract, schema).example };
  }
  return body === undefined ? example : { ...example, body };
}

/** The schema and the first example of a body or an answer. */
function mediaOf(value: Json | undefined): { schema: Json; example: Json | undefined } | undefined {
  const media = asObject(asObject(resolved(contract, value).content)["application/json"]);
  if (media.schema === undefined) return undefined;
  const [first] = Object.values(asObject(media.examples));
  return { schema: inlined(media.schema), example: first === undefined ? undefined : resolved(contract, first).value };
}

/**
 * A schema with what it refers to in place. The contract has no schema that contains itself. Examples of single fields are left out,
 * since one of the whole follows; so is `additionalProperties: false`, since answers get more fields in time.
 */
function inlined(value: Json): Json {
  if (Array.isArray(value)) return asArray(value).map(inlined);
  if (!isObject(value)) return value;
  const isLeftOut = (key: string, inner: Json | undefined) =>
    (key === "example" && !isObject(inner)) || (key === "additionalProperties" && inner === false);
  const entries = Object.entries(resolved(contract, value)).filter(([key, inner]) => !isLeftOut(key, inner));
  return Object.fromEntries(entries.map(([key, inner]) => [key, inner === undefined ? inner : inlined(inner)]));
}
