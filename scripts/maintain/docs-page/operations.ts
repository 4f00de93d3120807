/** What the page's samples and its console need to know of each operation, read from the contract. */
import { asArray, asObject, asStrings, type Json, type JsonObject, resolvedObject } from "../../document/json.ts";

/** Where a parameter goes, what it may be, and an example of it. */
export type PageParameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  /** As text; absent where the contract has none. */
  example?: string;
  /** The only values it can have, where the contract lists them. */
  values?: string[];
};

/** An example body of the contract, and what it is an example of. */
export type PageBody = { summary: string; value: Json };

/** An operation as the page shows it. */
export type PageOperation = {
  operationId: string;
  summary: string;
  tag: string;
  method: string;
  path: string;
  /** Where the page shows it, the `#` of its address. */
  link: string;
  needsKey: boolean;
  parameters: PageParameter[];
  /** Examples of the body, the first one first to be shown; empty where the operation takes none. */
  bodies: PageBody[];
};

const methods = new Set(["get", "post", "put", "patch", "delete"]);

/** The operations of a contract, in its order. */
export function pageOperations(contract: JsonObject): PageOperation[] {
  return Object.entries(asObject(contract.paths)).flatMap(([path, value]) => {
    const item = asObject(value);
    const operations = Object.entries(item).filter(([method]) => methods.has(method));
    return operations.map(([method, one]) => pageOperation(contract, { path, method, item, operation: asObject(one) }));
  });
}

type Place = { path: string; method: string; item: JsonObject; operation: JsonObject };

function pageOperation(contract: JsonObject, { path, method, item, operation }: Place): PageOperation {
  const operationId = text(operation.operationId);
  const [tag = ""] = asStrings(operation.tags);
  const given = [...asArray(item.parameters), ...asArray(operation.parameters)];
  return {
    operationId,
    summary: text(operation.summary),
    tag,
    method: method.toUpperCase(),
    path,
    link: `#/${tag}/${operationId}`.toLowerCase(),
    needsKey: asArray(operation.security ?? contract.security).length > 0,
    parameters: given.map((one) => pageParameter(contract, resolvedObject(contract, one))),
    bodies: pageBodies(contract, resolvedObject(contract, operation.requestBody)),
  };
}

function pageParameter(contract: JsonObject, parameter: JsonObject): PageParameter {
  const place = parameter.in;
  if (place !== "path" && place !== "query" && place !== "header")
    throw new Error(`The docs page does not know parameters in ${place}.`);
  const values = asArray(resolvedObject(contract, parameter.schema).enum).map(String);
  return {
    name: text(parameter.name),
    in: place,
    required: parameter.required === true,
    description: text(parameter.description),
    ...(parameter.example !== undefined && { example: String(parameter.example) }),
    ...(values.length > 0 && { values }),
  };
}

function pageBodies(contract: JsonObject, requestBody: JsonObject): PageBody[] {
  const json = asObject(asObject(requestBody.content)["application/json"]);
  return Object.entries(asObject(json.examples)).map(([name, one]) => {
    const { summary = name, value = null } = resolvedObject(contract, one);
    return { summary: text(summary), value };
  });
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
