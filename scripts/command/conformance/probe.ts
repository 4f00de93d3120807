/** What the checks of our own send with: operations by their name, through the same record that the workflows go through. */
import { randomUUID } from "node:crypto";
import { apiKeyHeader, type OperationId, operationTable } from "../../../generated/operations.ts";
import { asObject, type Json, type JsonObject } from "../../document/json.ts";
import { successOf } from "./contract.ts";
import type { ExchangeRecorder, RecordedExchange } from "./exchange.ts";
import { type Finding, finding, masked } from "./findings.ts";
import type { Patience } from "./patience.ts";
import type { Rule } from "./rules.ts";

/** The server, and what may be used on it. */
export type Target = {
  apiKey: string;
  chainId: string;
  /** Whether the chain has traces, according to listChains; undefined if it does not say. */
  traces: boolean | undefined;
  /** The newest block of the chain that the server has followed; undefined if it does not say. */
  followedBlock: bigint | undefined;
  /** An address to watch, in lower case, which takes part in nothing: a notification would change a record between two reads. */
  address: string;
  /** One that was given because it takes part in transactions, in lower case. */
  activeAddress: string | undefined;
  /** A URL that the server accepts, where nobody listens. */
  url: string;
};

/** What a request may carry. A `text` is sent as it is, bytes too, a `body` as JSON. */
export type ProbeCall = {
  path?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: JsonObject;
  text?: string | Buffer;
  headers?: Record<string, string>;
  /** Of an answer that goes on for ever: when enough of it was read. */
  until?: (text: string) => boolean;
  /** Instead of the target's key. */
  key?: string;
};

/** Sends a check's requests, and reports its findings. */
export type Probe = {
  target: Target;
  send(operation: OperationId, call?: ProbeCall): Promise<RecordedExchange>;
  /** Sends what no operation is. */
  sendRaw(method: string, path: string, call?: ProbeCall): Promise<RecordedExchange>;
  /** Tells of a finding unless `condition` holds. @returns whether it does */
  check(exchange: RecordedExchange, rule: Rule, condition: boolean, expected: string, came?: string): boolean;
  /** Tells of a finding unless the answer has this status. @returns whether it has */
  status(exchange: RecordedExchange, rule: Rule, status: number): boolean;
  /** Sends a request that must succeed. @returns the answer's body; undefined if it failed, which was reported */
  succeed(operation: OperationId, call?: ProbeCall): Promise<JsonObject | undefined>;
  /** Creates a webhook. @returns its record; undefined if that failed, which was reported */
  create(changes?: JsonObject): Promise<JsonObject | undefined>;
  add(finding: Finding): void;
  /** The same, but its findings are kept apart until they are added. */
  fork(): { draft: Probe; findings: Finding[] };
  patience: Patience;
  /** Tells what could not be tried, and why. */
  note(text: string): void;
};

/** @param by the name of the check */
export function createProbe(
  {
    recorder,
    target,
    findings,
    notes,
  }: { recorder: ExchangeRecorder; target: Target; findings: Finding[]; notes: string[] },
  by: string,
): Probe {
  const probe: Probe = {
    target,
    send(operation, call = {}) {
      const { method, path } = operationTable[operation];
      const full = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(call.path?.[name] ?? ""));
      return probe.sendRaw(method.toUpperCase(), full, call);
    },
    sendRaw(method, path, { query, body, text, headers, until, key = target.apiKey } = {}) {
      const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
      const search = query ? `?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}` : "";
      const own = { accept: "application/json", [apiKeyHeader]: key };
      const type = sent === undefined ? undefined : { "content-type": "application/json" };
      const sending = { method, path: path + search, headers: { ...own, ...type, ...headers }, body: sent, until };
      return recorder.send(sending, by);
    },
    check(exchange, rule, condition, expected, came) {
      if (!condition) findings.push(finding(exchange, rule, expected, came === undefined ? {} : { came }));
      return condition;
    },
    status(exchange, rule, status) {
      if (exchange.status === status) return true;
      findings.push(finding(exchange, rule, `${status}`, { status }));
      return false;
    },
    async succeed(operation, call) {
      const exchange = await probe.send(operation, call);
      // With another status of success it can continue; the status is reported once.
      probe.status(exchange, "status-expected", successOf(operation));
      return exchange.status < 300 ? asObject(exchange.json) : undefined;
    },
    create: (changes) => probe.succeed("createWebhook", { body: newWebhook(target, changes) }),
    add: (one) => void findings.push(one),
    fork() {
      const own: Finding[] = [];
      return { draft: createProbe({ recorder, target, findings: own, notes }, by), findings: own };
    },
    patience: recorder.patience,
    note: (text) => void notes.push(masked(text)),
  };
  return probe;
}

/** A body that creates a webhook. */
export function newWebhook({ url, chainId, address }: Target, changes: JsonObject = {}): JsonObject {
  return { url, chainId, eventType: "address_activity", metadata: { addresses: [address] }, ...changes };
}

/** What a webhook has that wants everything of an address that was given because something happens there. */
export function watchingActivity({ activeAddress, address }: Target): { metadata: JsonObject; includeLogs: true } {
  return { metadata: { addresses: [activeAddress ?? address], includeTransfers: true }, includeLogs: true };
}

/** The identifier in a record. */
export function idOf(record: JsonObject): string {
  return String(record.id);
}

/** An array of objects that an answer should have under a name; empty when it has not. */
export function itemsOf(body: JsonObject, name: string): JsonObject[] {
  const items: Json | undefined = body[name];
  return Array.isArray(items) ? items.map(asObject) : [];
}

/** An address in whose transactions nobody takes part, so that nothing comes in between. */
export const quietAddress = "0x00c0f04a9ce0000000000000000000000000a5ed";

/** An identifier that nothing has. */
export const nothing = "00000000-0000-4000-8000-000000000000";

/** A value that was not used before. */
export function unused(): string {
  return randomUUID();
}
