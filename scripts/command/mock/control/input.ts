/** Reads what a test asks the mock to do. Every fault names the field and what it must be. */
import { type OperationId, operationTable } from "../../../../generated/operations.ts";
import { badRequest, reasonPhrases } from "../../../../server/contract/errors.ts";
import { didYouMean } from "../../did-you-mean.ts";
import type { SendOptions } from "../types.ts";
import type { Fault } from "./faults.ts";

/** How many notifications can be sent at once, and requests made fail. */
const most = { sent: 100, failing: 10_000, delayMs: 60_000 };

/** @param examples the names that there are @throws {HttpError} 400 */
export function readSend(input: unknown, examples: readonly string[]): SendOptions & { count: number } {
  const given = fieldsOf(input, [
    "webhookId",
    "example",
    "count",
    "retracted",
    "duplicated",
    "outOfOrder",
    "wronglySigned",
  ]);
  const example = oneOf(given, "example", examples);
  const webhookId = text(given, "webhookId")?.toLowerCase();
  const flags = {
    retracted: flag(given, "retracted"),
    duplicated: flag(given, "duplicated"),
    outOfOrder: flag(given, "outOfOrder"),
    wronglySigned: flag(given, "wronglySigned"),
  };
  const count = wholeNumber(given, "count", 1, most.sent) ?? 1;
  if (flags.outOfOrder && count === 1 && !flags.retracted)
    throw badRequest("outOfOrder must come with a count of at least 2, or with retracted.");
  if (flags.wronglySigned && (flags.retracted || flags.duplicated || flags.outOfOrder))
    throw badRequest("wronglySigned must not come with retracted, duplicated or outOfOrder.");
  return { ...(webhookId !== undefined && { webhookId }), ...(example !== undefined && { example }), ...flags, count };
}

/** @param statusesOf the statuses of each operation @throws {HttpError} 400 */
export function readFail(input: unknown, statusesOf: (operationId: string) => readonly string[]): Fault {
  const given = fieldsOf(input, ["status", "delayMs", "reset", "retryAfter", "operationId", "count"]);
  const { status } = given;
  if (status !== undefined && !(typeof status === "number" && status in reasonPhrases))
    throw badRequest(`status must be one of ${Object.keys(reasonPhrases).join(", ")}.`);
  const delayMs = wholeNumber(given, "delayMs", 0, most.delayMs);
  const reset = flag(given, "reset");
  const retryAfter = wholeNumber(given, "retryAfter", 0, 3_600);
  const operationId = oneOf(given, "operationId", Object.keys(operationTable));
  const known = operationId === undefined ? [] : statusesOf(operationId).filter((each) => each in reasonPhrases);
  if (status !== undefined && operationId !== undefined && !known.includes(String(status)))
    throw badRequest(`status must be one that ${operationId} can have: ${known.join(", ")}.`);
  if (status === undefined && delayMs === undefined && !reset)
    throw badRequest("status, delayMs or reset must say what happens to the next requests.");
  if (reset && status !== undefined) throw badRequest("reset must not come with a status: no answer is sent.");
  if (retryAfter !== undefined && status === undefined) throw badRequest("retryAfter must come with a status.");
  return {
    ...(status !== undefined && { status }),
    ...(delayMs !== undefined && { delayMs }),
    ...(reset && { reset }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(operationId !== undefined && { operationId: operationId as OperationId }),
    count: wholeNumber(given, "count", 1, most.failing) ?? 1,
  };
}

type Fields = Record<string, unknown>;

function fieldsOf(input: unknown = {}, known: readonly string[]): Fields {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw badRequest("The body must be a JSON object.");
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown !== undefined) throw badRequest(`${unknown} is not a known field${didYouMean(unknown, known)}`);
  return input as Fields;
}

function text(given: Fields, name: string): string | undefined {
  const value = given[name];
  if (value === undefined || typeof value === "string") return value;
  throw badRequest(`${name} must be a string.`);
}

function oneOf(given: Fields, name: string, known: readonly string[]): string | undefined {
  const value = text(given, name);
  if (value === undefined || known.includes(value)) return value;
  throw badRequest(`${name} must be one of ${known.join(", ")}.`);
}

function flag(given: Fields, name: string): boolean {
  const value = given[name] ?? false;
  if (typeof value === "boolean") return value;
  throw badRequest(`${name} must be true or false.`);
}

function wholeNumber(given: Fields, name: string, from: number, to: number): number | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= from && value <= to) return value;
  throw badRequest(`${name} must be a whole number from ${from} to ${to}.`);
}
