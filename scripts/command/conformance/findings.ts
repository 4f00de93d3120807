/** What was found: each departure from the contract with its rule and the exchange that shows it. */
import type { OperationId } from "../../../generated/operations.ts";
import { successOf } from "./contract.ts";
import type { RecordedExchange } from "./exchange.ts";
import type { Rule } from "./rules.ts";

/** What findings are grouped by, besides the operations: other requests, and the notification. */
export type Subject = OperationId | "otherPaths" | "addressActivity" | "operationalEvent";

/** A departure from the contract. */
export type Finding = {
  rule: Rule;
  subject: Subject;
  /** The documented status that it is reported at. */
  status: number;
  by: string;
  /** Such as `GET /v1/webhooks`; of a notification, what was looked at. */
  request: string;
  expected: string;
  came: string;
  exchange?: RecordedExchange;
  /** Requests that lead to it, as lines for a shell; of generated cases. */
  requests?: string[];
};

const ofShape = new Set<Rule>([
  "status-documented",
  "content-type",
  "response-schema",
  "error-shape",
  "addresses-lower-case",
  // What else such an answer should have been follows from the smaller limit.
  "large-body-taken",
]);
const neverHidden = new Set<Rule>([...ofShape, "response-headers", "secret-not-leaked", "header-values-hidden"]);

/** Makes a finding of an exchange. @param expected what should have come. @param status where that was a status of its own */
export function finding(
  exchange: RecordedExchange,
  rule: Rule,
  expected: string,
  { came = summary(exchange), status }: { came?: string; status?: number | undefined } = {},
): Finding {
  const { operation, by, request } = exchange;
  return {
    rule,
    subject: operation ?? "otherPaths",
    status: status ?? (operation && exchange.status < 400 ? successOf(operation) : exchange.status),
    by,
    request: `${request.method.toUpperCase()} ${request.path}`,
    expected: masked(expected),
    came: masked(came),
    exchange,
  };
}

/**
 * Leaves out consequences: if an answer has the wrong shape, the meaning of its fields is not reported. The same fault at one operation
 * and status is reported once, with the first exchange that shows it.
 */
export function essential(findings: readonly Finding[]): Finding[] {
  const misshapen = new Set(
    findings.flatMap(({ rule, exchange }) => (ofShape.has(rule) && exchange ? [exchange] : [])),
  );
  const seen = new Set<string>();
  return findings.filter((one) => {
    if (one.exchange && misshapen.has(one.exchange) && !neverHidden.has(one.rule)) return false;
    const key = JSON.stringify([one.rule, one.subject, one.status, one.expected.replaceAll(/\d/g, "")]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** An answer in one line, without secrets. */
export function summary({ status, body }: RecordedExchange): string {
  const text = masked(body.toString("utf8").replaceAll(/\s+/g, " "));
  return `${status} ${text.length > 400 ? `${text.slice(0, 400)}…` : text}`.trim();
}

/** The text with its secrets made unreadable. */
export function masked(text: string): string {
  // A shared secret has no prefix. What else has 32 bytes in hex begins with 0x.
  return text
    .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, "whsec_…")
    .replaceAll(/(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])/g, "…");
}
