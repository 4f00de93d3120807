/**
 * Mutants of a server's answers and of what it reads, made mechanically from the contract: each operation loses or changes each field of
 * its answer, answers with another status or header, repeats an old answer, or ignores a parameter or a field of its request.
 */
import type { OperationId } from "../../../generated/operations.ts";
import {
  answerHeadersOf,
  describedOperation,
  describedParameters,
  followed,
  isRepeatedWithin,
  operationIds,
  requestSchema,
  successOf,
} from "../../../scripts/command/conformance/contract.ts";
import { asObject, asStrings, type Json, type JsonObject } from "../../../scripts/document/json.ts";

/** An answer on its way. */
export type Answer = { status: number; headers: Record<string, string>; body: Json | undefined };

/** Changes the answers of one operation. */
export type AnswerMutant = {
  id: string;
  operation: OperationId;
  /** @param memory of this server, for what it repeats */
  change(answer: Answer, memory: Map<string, Answer>): Answer;
};

/** Takes something from the requests of one operation before its handler has them. */
export type RequestMutant = { id: string; operation: OperationId; part: "query" | "headers" | "body"; at: string[] };

type Alteration = [what: string, alter: (value: Json) => Json | undefined];

/** All of them. */
export const answerMutants: AnswerMutant[] = operationIds.flatMap((operation) => [
  ...ofFields(operation),
  ...ofWhole(operation),
  ...ofErrors(operation),
]);

function ofFields(operation: OperationId): AnswerMutant[] {
  const success = successOf(operation);
  const { content } = followed(asObject(describedOperation(operation).responses)[success]);
  return fieldsOf(asObject(asObject(asObject(content)["application/json"]).schema)).flatMap(({ at, schema }) =>
    alterationsOf(schema).map(([what, alter]) => ({
      id: `${operation}: ${at.join(".")} ${what}`,
      operation,
      change: (answer) =>
        answer.status === success ? { ...answer, body: altered(answer.body ?? null, at, alter) } : answer,
    })),
  );
}

/** Every field, those of nested objects and of an array's items too. */
function fieldsOf(schema: JsonObject, at: string[] = []): { at: string[]; schema: JsonObject }[] {
  return Object.entries(asObject(followed(schema).properties)).flatMap(([name, of]) => {
    const own = followed(of);
    const here = [...at, name];
    if (own.type === "array") return [{ at: here, schema: own }, ...fieldsOf(followed(own.items), [...here, "*"])];
    return [{ at: here, schema: own }, ...fieldsOf(own, here)];
  });
}

function altered(value: Json, [name, ...rest]: readonly string[], alter: (value: Json) => Json | undefined): Json {
  if (name === undefined) return value;
  if (name === "*") return Array.isArray(value) ? value.map((item) => altered(item, rest, alter)) : value;
  const object = asObject(value);
  const own = object[name];
  if (own === undefined) return value;
  const { [name]: _, ...others } = object;
  if (rest.length > 0) return { ...object, [name]: altered(own, rest, alter) };
  const now = alter(own);
  return now === undefined ? others : { ...object, [name]: now };
}

function alterationsOf({ type, enum: values, pattern }: JsonObject): Alteration[] {
  const all: Alteration[] = [["is missing", () => undefined]];
  if (type === "integer") all.push(["is a text", String], ["is one more", (value) => Number(value) + 1]);
  if (type === "boolean") all.push(["is a text", String], ["is negated", (value) => !value]);
  if (type === "string") all.push(["is a number", () => 7]);
  if (type === "string" && Array.isArray(values) && values.length > 1)
    all.push(["is another value", (value) => values.find((one) => one !== value) ?? null]);
  else if (type === "string") all.push(["is another text", (value) => otherText(String(value), pattern !== undefined)]);
  if (type === "array")
    all.push(
      ["is reversed", (value) => (Array.isArray(value) ? value.toReversed() : value)],
      ["lacks its last item", (value) => (Array.isArray(value) ? value.slice(0, -1) : value)],
      ["has its first item twice", (value) => (Array.isArray(value) ? [...value.slice(0, 1), ...value] : value)],
    );
  return all;
}

/** Of the same form, where it has one. */
function otherText(text: string, hasForm: boolean): string {
  if (!hasForm) return `${text}x`;
  return text.replace(/[0-9a-zA-Z](?=[^0-9a-zA-Z]*$)/, (last) => (last === "1" ? "2" : "1"));
}

function ofWhole(operation: OperationId): AnswerMutant[] {
  const success = successOf(operation);
  const on = (what: string, change: AnswerMutant["change"]): AnswerMutant => ({
    id: `${operation}: ${what}`,
    operation,
    change: (answer, memory) => (answer.status === success ? change(answer, memory) : answer),
  });
  const headers = answerHeadersOf(operation, success).flatMap(({ name }) => {
    const key = name.toLowerCase();
    const without = (given: Answer["headers"]) =>
      Object.fromEntries(Object.entries(given).filter(([one]) => one !== key));
    return [
      on(`no header ${name}`, (answer) => ({ ...answer, headers: without(answer.headers) })),
      on(`another ${name}`, (answer) => ({
        ...answer,
        headers: { ...answer.headers, [key]: otherText(answer.headers[key] ?? "", true) },
      })),
    ];
  });
  return [
    on("another status of success", (answer) => ({ ...answer, status: success === 200 ? 201 : 200 })),
    on("no body", (answer) => ({ ...answer, body: undefined })),
    on("a field that is not in the contract", (answer) => ({ ...answer, body: { ...asObject(answer.body), more: 1 } })),
    on("content-type text/plain", (answer) => ({
      ...answer,
      headers: { ...answer.headers, "content-type": "text/plain" },
    })),
    on("the first answer again and again", (answer, memory) => {
      const first = memory.get(operation) ?? answer;
      memory.set(operation, first);
      return first;
    }),
    on("the answer before", (answer, memory) => {
      const before = memory.get(operation) ?? answer;
      memory.set(operation, answer);
      return before;
    }),
    ...headers,
  ];
}

function ofErrors(operation: OperationId): AnswerMutant[] {
  const on = (what: string, status: number, change: (answer: Answer) => Answer): AnswerMutant => ({
    id: `${operation}: ${what}`,
    operation,
    change: (answer) => (answer.status === status ? change(answer) : answer),
  });
  const body = (answer: Answer, fields: JsonObject) => ({ ...answer, body: { ...asObject(answer.body), ...fields } });
  return [
    on("404 becomes 400", 404, (answer) => ({
      ...body(answer, { statusCode: 400, error: "Bad Request" }),
      status: 400,
    })),
    on("404 becomes 200", 404, (answer) => ({ ...answer, status: 200 })),
    on("400 becomes 404", 400, (answer) => ({ ...body(answer, { statusCode: 404, error: "Not Found" }), status: 404 })),
    on("400 names no field", 400, (answer) => body(answer, { message: "The request is not right." })),
    on("400 with another statusCode", 400, (answer) => body(answer, { statusCode: 500 })),
    on("400 with another phrase", 400, (answer) => body(answer, { error: "Error" })),
  ];
}

/** What a server can ignore. A field that is required is missed at the latest when the answer is made. */
export const requestMutants: RequestMutant[] = operationIds.flatMap((operation) => [
  ...describedParameters(operation).flatMap(({ name, in: place }) => {
    if (place === "path") return [];
    const part = place === "query" ? ("query" as const) : ("headers" as const);
    return [
      { id: `${operation}: ignores ${name}`, operation, part, at: [part === "headers" ? name.toLowerCase() : name] },
    ];
  }),
  ...optionalOf(requestSchema(operation) ?? {}).map((at) => ({
    id: `${operation}: ignores ${at.join(".")}`,
    operation,
    part: "body" as const,
    at,
  })),
]);

function optionalOf(schema: JsonObject, at: string[] = [], outer: JsonObject[] = []): string[][] {
  const whole = followed(schema);
  const { properties, required } = whole;
  const inside = [...outer, whole];
  return Object.entries(asObject(properties)).flatMap(([name, of]) => {
    const own = asStrings(required).includes(name) ? [] : [[...at, name]];
    return isRepeatedWithin(of, inside) ? own : [...own, ...optionalOf(followed(of), [...at, name], inside)];
  });
}
