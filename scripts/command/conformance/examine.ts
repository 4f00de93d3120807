/** The rules that hold for every answer, whatever was asked: its status, content type, body and headers. */
import { reasonPhrases } from "../../../server/contract/errors.ts";
import { asObject, type Json } from "../../document/json.ts";
import { secretValue } from "./cases/known-values.ts";
import {
  answerHeadersOf,
  charsetOf,
  faultsOfAnswer,
  faultsOfSchema,
  faultsOfText,
  mebibyte,
  statusesOf,
  successOf,
} from "./contract.ts";
import type { RecordedExchange } from "./exchange.ts";
import { type Finding, finding } from "./findings.ts";
import { wrongTimesOf } from "./times.ts";

/** What the contract documents besides the statuses of each operation, and for all of them: see Errors in its description. */
const ofEveryOperation = [408, 414, 431, 501];
const secretOperations = new Set<string | undefined>([
  ...["getWebhookSecret", "rotateWebhookSecret", "getOperationalSecret", "rotateOperationalSecret"],
]);

/** What is wrong with an answer. */
export function examine(exchange: RecordedExchange): Finding[] {
  return [
    ...examineStatus(exchange),
    ...examineSize(exchange),
    ...examineBody(exchange),
    ...examineHeaders(exchange),
    ...examineSecrecy(exchange),
    ...examineTimes(exchange),
  ];
}

function isDocumented({ operation, status }: RecordedExchange): boolean {
  return operation !== undefined && statusesOf(operation).includes(status);
}

function examineStatus(exchange: RecordedExchange): Finding[] {
  const { operation } = exchange;
  if (operation === undefined || isDocumented(exchange) || ofEveryOperation.includes(exchange.status)) return [];
  return [finding(exchange, "status-documented", `one of ${statusesOf(operation).join(", ")}`)];
}

/** A server with a smaller limit refuses much of what is sent for other reasons. The report names that limit. */
function examineSize(exchange: RecordedExchange): Finding[] {
  const { status, request } = exchange;
  const bytes = Buffer.byteLength(request.body ?? "");
  const isCompressed = Object.keys(request.headers).some((name) => name.toLowerCase() === "content-encoding");
  if (status !== 413 || isCompressed || bytes > mebibyte) return [];
  const expected = `no 413 for a body of ${bytes} bytes, since 1 MiB are allowed`;
  return [finding(exchange, "large-body-taken", expected, { status: successOrSame(exchange) })];
}

const successOrSame = ({ operation, status }: RecordedExchange) => (operation ? successOf(operation) : status);

function examineBody(exchange: RecordedExchange): Finding[] {
  const { operation, status, json, headers } = exchange;
  const contentType = String(headers["content-type"] ?? "none");
  const wantsEvents = exchange.request.headers.accept === "text/event-stream";
  if (status < 300 && wantsEvents && /^text\/event-stream\s*(;|$)/i.test(contentType)) return [];
  if (!/^application\/json\s*(;|$)/i.test(contentType))
    return [finding(exchange, "content-type", "application/json", { came: `content-type ${contentType}` })];
  if (charsetOf(contentType) !== "utf-8")
    return [finding(exchange, "charset-utf-8", "no charset, or utf-8", { came: `content-type ${contentType}` })];
  if (json === undefined) return [finding(exchange, "content-type", "JSON in UTF-8")];
  if (status >= 400) return examineError(exchange);
  if (operation === undefined || !isDocumented(exchange)) return [];
  const faults = faultsOfAnswer(operation, status, json);
  // Where only the case of letters is wrong, the rule is another.
  const inLowerCase = faults.length > 0 && faultsOfAnswer(operation, status, withLowerCase(json)).length === 0;
  const rule = inLowerCase ? "addresses-lower-case" : "response-schema";
  return faults.map((fault) => finding(exchange, rule, fault));
}

function withLowerCase(json: Json): Json {
  const text = JSON.stringify(json).replaceAll(/"0x[0-9a-fA-F]{40}"/g, (address) => address.toLowerCase());
  return JSON.parse(text) as Json;
}

function examineError(exchange: RecordedExchange): Finding[] {
  const { status, json } = exchange;
  const faults = faultsOfSchema("ApiError", json);
  if (faults.length > 0) return faults.map((fault) => finding(exchange, "error-shape", fault));
  const { statusCode, error, message } = asObject(json);
  const wrong: string[] = [];
  if (statusCode !== status) wrong.push(`statusCode must be ${status}`);
  const phrase = (reasonPhrases as Record<number, string>)[status];
  if (phrase !== undefined && error !== phrase) wrong.push(`error must be "${phrase}"`);
  if (typeof message === "string" && message.trim() === "") wrong.push("message must be a sentence");
  return wrong.map((fault) => finding(exchange, "error-shape", fault));
}

function examineHeaders(exchange: RecordedExchange): Finding[] {
  const { operation, status, headers } = exchange;
  if (operation === undefined || !isDocumented(exchange)) return [];
  return answerHeadersOf(operation, status).flatMap((header) => {
    const value = headers[header.name.toLowerCase()];
    if (value === undefined) {
      const missing = `the header ${header.name}`;
      // That a 429 has it, the contract says in words.
      const isRequired = header.required || (status === 429 && header.name === "Retry-After");
      return isRequired ? [finding(exchange, "response-headers", missing, { came: "no such header" })] : [];
    }
    const faults = faultsOfText(header, String(value));
    return faults.map((fault) => finding(exchange, "response-headers", fault, { came: `${header.name}: ${value}` }));
  });
}

function examineSecrecy(exchange: RecordedExchange): Finding[] {
  const { operation, body } = exchange;
  if (body.includes(secretValue)) return [finding(exchange, "header-values-hidden", "no value of a webhook's header")];
  if (secretOperations.has(operation) || !/whsec_[A-Za-z0-9+/]{16}/.test(body.toString("utf8"))) return [];
  return [finding(exchange, "secret-not-leaked", "no secret")];
}

function examineTimes(exchange: RecordedExchange): Finding[] {
  if (exchange.status >= 300 || !isDocumented(exchange)) return [];
  return wrongTimesOf(exchange).map(({ rule, expected, came }) => finding(exchange, rule, expected, { came }));
}
