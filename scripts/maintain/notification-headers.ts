/**
 * Adds the headers of each notification to the published documents as a schema. Most generators make types of schemas only, and pass
 * over the parameters of a webhook or callback. The schema is made from those parameters, so the contract states the headers once.
 */
import { asArray, asObject, type Json, type JsonObject, resolvedObject } from "../document/json.ts";

/**
 * @returns a copy with a schema for each webhook that has headers: `AddressActivityHeaders` for the operation `addressActivity`
 * @throws when the contract already has a schema of that name
 */
export function withHeaderSchemas(contract: JsonObject): JsonObject {
  const document = structuredClone(contract);
  const schemas = asObject(asObject(document.components).schemas);
  for (const item of Object.values(asObject(document.webhooks)).map(asObject)) {
    for (const operation of Object.values(item).map(asObject)) {
      const headers = asArray(operation.parameters)
        .map((parameter) => resolvedObject(document, parameter))
        .filter((parameter) => parameter.in === "header");
      if (headers.length === 0) continue;
      const name = `${String(operation.operationId).replace(/^./, (letter) => letter.toUpperCase())}Headers`;
      if (schemas[name] !== undefined)
        throw new Error(`#/components/schemas/${name} is made from ${operation.operationId}.`);
      schemas[name] = schemaOf(headers);
    }
  }
  return document;
}

function schemaOf(headers: readonly JsonObject[]): JsonObject {
  const property = ({ name, description, schema, example }: JsonObject): [string, Json] => [
    String(name),
    { ...asObject(schema), ...(description && { description }), ...(example !== undefined && { example }) },
  ];
  return {
    description: "The headers of a notification, by their names in lower case.",
    type: "object",
    properties: Object.fromEntries(headers.map(property)),
    required: headers.filter(({ required }) => required === true).map(({ name }) => String(name)),
  };
}
