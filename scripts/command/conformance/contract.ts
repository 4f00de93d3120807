/** The contract as conformance needs it: the operation of an exchange, and the faults of an answer. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { type OperationId, operationTable } from "../../../generated/operations.ts";
import { loadContract } from "../../../server/contract/contract.ts";
import { findOperation } from "../../../server/contract/operations.ts";
import { asArray, asObject, isObject, type Json, type JsonObject, resolvedObject } from "../../document/json.ts";

/** A parameter or header: its name, whether it must be there, and its schema. */
export type DescribedPart = { name: string; in: string; required: boolean; schema: JsonObject };

const document = (await loadContract()) as unknown as JsonObject;
// The closed schemas as they stand: a field too many is a fault, as it is on the server.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, verbose: true, coerceTypes: false });
ajv.addSchema({ $id: "contract", components: document.components });
const textAjv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, coerceTypes: true });
textAjv.addSchema({ $id: "contract", components: document.components });

/** The largest body, in bytes. */
export const mebibyte = 1_048_576;

/** What the contract says of the service as a whole. */
export const description = String(asObject(document.info).description);

/** Every operation, in the order of the contract. */
export const operationIds = Object.keys(operationTable) as OperationId[];

/** The operation of a request; undefined for a path or a method that the contract does not have. */
export function operationOfUrl(method: string, url: string): OperationId | undefined {
  return findOperation(method.toUpperCase(), url.replace(/\?.*$/, ""))?.operationId;
}

/** The contract's description of an operation. */
export function describedOperation(id: OperationId): JsonObject {
  const { method, path } = operationTable[id];
  return asObject(pathItem(path)[method]);
}

/** The path item and what it refers to. */
function pathItem(path: string): JsonObject {
  return asObject(asObject(document.paths)[path]);
}

/** The parameters of an operation, those of its path too. */
export function describedParameters(id: OperationId): DescribedPart[] {
  const inPath = asArray(pathItem(operationTable[id].path).parameters);
  return [...inPath, ...asArray(describedOperation(id).parameters)].map(parameter);
}

/** The headers that the contract declares for a notification. */
export function notificationHeaders(): DescribedPart[] {
  const { post } = asObject(asObject(document.webhooks).addressActivity);
  return asArray(asObject(post).parameters).map(parameter);
}

function parameter(value: Json): DescribedPart {
  const { name, in: place, required, schema } = resolvedObject(document, value);
  return { name: String(name), in: String(place), required: required === true, schema: asObject(schema) };
}

/** The examples that the contract has of an operation's request body; none where it takes none. */
export function exampleBodies(id: OperationId): JsonObject[] {
  const { content } = resolvedObject(document, describedOperation(id).requestBody);
  const { examples } = asObject(asObject(content)["application/json"]);
  return Object.values(asObject(examples)).map((example) => asObject(resolvedObject(document, example).value));
}

/** The schema of an operation's request body, its reference followed; undefined where it takes none. */
export function requestSchema(id: OperationId): JsonObject | undefined {
  const { content } = resolvedObject(document, describedOperation(id).requestBody);
  const { schema } = asObject(asObject(content)["application/json"]);
  return schema === undefined ? undefined : resolvedObject(document, schema);
}

const followedBefore = new WeakMap<JsonObject, JsonObject>();

/** A schema with its reference followed. A run asks for each a thousand times. */
export function followed(schema: Json | undefined): JsonObject {
  if (!isObject(schema)) return {};
  const found = followedBefore.get(schema) ?? resolvedObject(document, schema);
  followedBefore.set(schema, found);
  return found;
}

/** Whether a schema, or that of its items, is one of those that it is in. A condition holds conditions, and so on without end. */
export function isRepeatedWithin(schema: Json | undefined, outer: readonly JsonObject[]): boolean {
  const own = followed(schema);
  // Each time a schema is followed, it is another object with the same properties.
  const isOuter = ({ properties }: JsonObject) =>
    properties !== undefined && outer.some((one) => one.properties === properties);
  return isOuter(own) || (own.items !== undefined && isOuter(followed(own.items)));
}

/** The statuses that an operation documents, ascending. */
export function statusesOf(id: OperationId): number[] {
  return Object.keys(asObject(describedOperation(id).responses))
    .map(Number)
    .sort((a, b) => a - b);
}

/** The status with which an operation succeeds. */
export function successOf(id: OperationId): number {
  return statusesOf(id)[0] ?? 200;
}

/** The headers that a documented answer declares. */
export function answerHeadersOf(id: OperationId, status: number): DescribedPart[] {
  const { headers } = resolvedObject(document, asObject(describedOperation(id).responses)[status]);
  return Object.entries(asObject(headers)).map(([name, header]) => {
    const { required, schema } = resolvedObject(document, header);
    return { name, in: "header", required: required === true, schema: asObject(schema) };
  });
}

/** The schema of a documented answer; undefined where it has none. */
export function answerSchema(id: OperationId, status: number): JsonObject | undefined {
  const { content } = resolvedObject(document, asObject(describedOperation(id).responses)[status]);
  const { schema } = asObject(asObject(content)["application/json"]);
  return isObject(schema) ? schema : undefined;
}

/** What is wrong with the body of a documented answer; empty when nothing is. */
export function faultsOfAnswer(id: OperationId, status: number, body: Json | undefined): string[] {
  const schema = answerSchema(id, status);
  return schema ? faults(ajv, schema, body, "body") : [];
}

/** The charset that a content type names, in lower case; JSON is UTF-8 where it names none. */
export function charsetOf(contentType: string): string {
  const [, charset = "utf-8"] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType) ?? [];
  return charset.toLowerCase().replace(/^utf8$/, "utf-8");
}

/** What is wrong with a value that should be as the contract's schema of this name says. */
export function faultsOfSchema(name: string, value: Json | undefined): string[] {
  return faults(ajv, { $ref: `#/components/schemas/${name}` }, value, "body");
}

/** What is wrong with a value of a request, by a schema of the contract. */
export function faultsOfValue(schema: JsonObject, value: Json | undefined): string[] {
  return faults(ajv, schema, value, "value");
}

/** What is wrong with a header's text. */
export function faultsOfText(header: DescribedPart, text: string): string[] {
  return errorsOfText(header, text).map((error) => describeError(error, "header").replace("header.", "header "));
}

function errorsOfText({ name, schema }: DescribedPart, text: string): readonly ErrorObject[] {
  // Wrapped, since only an object's property can be coerced to the type of the schema.
  const wrapped = { type: "object", properties: { [name]: schema } };
  return errors(textAjv, wrapped, { [name]: text });
}

/** The constraints that a value of a request breaks, each by its place and keyword. All items of a list are one place. */
export function constraintsBroken(schema: JsonObject, value: Json): string[] {
  return constraintsOf(errors(ajv, schema, value));
}

/** The constraints that a parameter's text breaks. */
export function constraintsBrokenByText(parameter: DescribedPart, text: string): string[] {
  return constraintsOf(errorsOfText(parameter, text));
}

/** What a server may take for a value of the right type: null for a field that is left out, a text for a number, a fraction for a whole one. */
function kindOfWrong(data: unknown, type: unknown): string | undefined {
  if (data === null) return "null";
  if (typeof data === "number" && !Number.isInteger(data) && type === "integer") return "fraction";
  const isText = typeof data === "string" && (type === "integer" || type === "boolean") && /^(\d+|true)$/.test(data);
  return isText || (typeof data === "number" && type === "string") ? "coerced" : undefined;
}

function constraintsOf(broken: readonly ErrorObject[]): string[] {
  const names = broken.map(({ instancePath, keyword, params, data }) => {
    const place = instancePath.replaceAll(/\/\d+(?=\/|$)/g, "/*");
    return [place, keyword, params.missingProperty, keyword === "type" && kindOfWrong(data, params.type)]
      .filter(Boolean)
      .join(" ");
  });
  return [...new Set(names)];
}

/** Compiling one takes milliseconds, and its text as long as checking a value. The same schema comes as several objects. */
const compiled = new Map<string, ValidateFunction>();
const compiledBefore = new Map([ajv, textAjv].map((by) => [by, new WeakMap<JsonObject, ValidateFunction>()]));

function faults(by: Ajv2020, schema: JsonObject, value: Json | undefined, what: string): string[] {
  return errors(by, schema, value).map((error) => describeError(error, what));
}

function errors(by: Ajv2020, schema: JsonObject, value: Json | undefined): readonly ErrorObject[] {
  const validate = compiledBefore.get(by)?.get(schema) ?? compile(by, schema);
  return validate(value) ? [] : (validate.errors ?? []);
}

function compile(by: Ajv2020, schema: JsonObject): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/');
  const key = `${by === ajv ? "json" : "text"} ${text}`;
  const validate = compiled.get(key) ?? by.compile(JSON.parse(text));
  compiled.set(key, validate);
  compiledBefore.get(by)?.set(schema, validate);
  return validate;
}

function describeError({ instancePath, keyword, message, params }: ErrorObject, what: string): string {
  const place = what + instancePath.replaceAll("/", ".");
  if (keyword === "additionalProperties") return `${place}.${params.additionalProperty} is not in the contract`;
  if (keyword === "enum") return `${place} must be one of ${params.allowedValues.join(", ")}`;
  return `${place} ${message}`;
}
