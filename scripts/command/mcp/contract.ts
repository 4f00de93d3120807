/** The contract as the tools need it. Nothing is compiled here: a host waits for the server to start. */
import { type OperationId, operationTable } from "../../../generated/operations.ts";
import { loadContract } from "../../../server/contract/contract.ts";
import { asArray, asObject, type Json, type JsonObject, resolvedObject } from "../../document/json.ts";

/** The whole document. */
export const document = (await loadContract()) as unknown as JsonObject;

/** Every operation, in the order of the contract. */
export const toolOperationIds = Object.keys(operationTable) as OperationId[];

const pathItem = (id: OperationId) => asObject(asObject(document.paths)[operationTable[id].path]);

/** The contract's description of an operation. */
export const toolOperation = (id: OperationId): JsonObject => asObject(pathItem(id)[operationTable[id].method]);

/** The places of a call's parameters, as our client names them. */
export const places = { path: "path", query: "query", header: "headers" } as const;

/** A parameter, as the contract describes it. */
export type Parameter = {
  name: string;
  in: keyof typeof places;
  required: boolean;
  schema: JsonObject;
  description: Json | undefined;
  example: Json | undefined;
};

/** The parameters of an operation, those of its path first. */
export function toolParameters(id: OperationId): Parameter[] {
  return [...asArray(pathItem(id).parameters), ...asArray(toolOperation(id).parameters)].map((value) => {
    const { name, in: place, required, schema, description, example } = resolvedObject(document, value);
    return {
      ...{ name: String(name), in: String(place) as keyof typeof places, required: required === true },
      ...{ schema: asObject(schema), description, example },
    };
  });
}

/** The answers of an operation by their status, ascending: the one of success comes first. */
export function answersOf(id: OperationId): (JsonObject & { status: number })[] {
  return Object.entries(asObject(toolOperation(id).responses)).map(([status, answer]) => ({
    ...resolvedObject(document, answer),
    status: Number(status),
  }));
}

/** The media type of a body or an answer: its schema, and its examples. */
export function mediaOf(value: Json | undefined): JsonObject {
  return asObject(asObject(resolvedObject(document, value).content)["application/json"]);
}
