/** The operations and callbacks of the contract, as the pages of the reference show them: with what they share and refer to filled in. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { asArray, asObject, asStrings, type Json, type JsonObject, resolvedObject } from "../../document/json.ts";

/** What the reference is made from, besides this folder. */
export const contractOfReference = fileURLToPath(new URL("../../../generated/openapi.json", import.meta.url));

/** @throws when it was not generated */
export function readContract(): JsonObject {
  return asObject(JSON.parse(readFileSync(contractOfReference, "utf8")));
}

/** An operation, or a callback that the service itself sends. */
export type Operation = {
  /** Its operationId, which names its page, too. */
  id: string;
  tag: string;
  summary: string;
  description: string;
  /** In upper case. */
  method: string;
  /** A path of the API; undefined for a callback, which goes to a webhook's URL. */
  path?: string;
  needsKey: boolean;
  scopes: readonly string[];
  parameters: readonly JsonObject[];
  /** The JSON that is sent, with `schema` and `examples`; empty where there is no body. */
  body: JsonObject;
  /** By status. */
  responses: ReadonlyMap<string, JsonObject>;
  /** The operationIds of what it makes the service send. */
  callbacks: readonly string[];
};

const methods = new Set(["get", "put", "post", "delete", "patch"]);

/** @returns those of `paths`, then those of `webhooks`, in their order */
export function describedOperations(contract: JsonObject): Operation[] {
  const below = (place: "paths" | "webhooks") =>
    Object.entries(asObject(contract[place])).flatMap(([path, item]) => {
      const { parameters: shared, ...operations } = asObject(item);
      return Object.entries(operations)
        .filter(([method]) => methods.has(method))
        .map(([method, operation]) => ({ method, path, shared, operation: asObject(operation) }));
    });
  const read = ({ method, shared, operation }: ReturnType<typeof below>[number]): Operation => {
    const [requirement] = asArray(operation.security ?? contract.security);
    const ids: Json[] = Object.values(asObject(operation.callbacks)).flatMap((callback) =>
      Object.values(resolvedObject(contract, callback)).map(
        (item) => asObject(resolvedObject(contract, item).post).operationId ?? null,
      ),
    );
    return {
      id: String(operation.operationId),
      tag: String(asArray(operation.tags)[0]),
      summary: String(operation.summary),
      description: String(operation.description ?? "").trim(),
      method: method.toUpperCase(),
      needsKey: requirement !== undefined,
      scopes: Object.values(asObject(requirement)).flatMap(asStrings),
      parameters: [...asArray(shared), ...asArray(operation.parameters)].map((one) => resolvedObject(contract, one)),
      body: jsonOf(resolvedObject(contract, operation.requestBody)),
      responses: new Map(
        Object.entries(asObject(operation.responses)).map(([status, one]) => [status, resolvedObject(contract, one)]),
      ),
      callbacks: asStrings(ids),
    };
  };
  return [...below("paths").map((one) => ({ ...read(one), path: one.path })), ...below("webhooks").map(read)];
}

/** The part of a request's or a response's content that is JSON. */
export function jsonOf({ content }: JsonObject): JsonObject {
  return asObject(asObject(content)["application/json"]);
}

/** An example's title and value. */
export type Example = { title: string; value: JsonObject[string] };

/** @param json what `jsonOf` returns */
export function examplesOf(contract: JsonObject, json: JsonObject): Example[] {
  return Object.entries(asObject(json.examples)).map(([name, example]) => {
    const { summary, value } = resolvedObject(contract, example);
    return { title: String(summary ?? name), value };
  });
}
