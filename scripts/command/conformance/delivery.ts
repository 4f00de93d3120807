/** The rules that hold for every notification and every operational event: its headers, its payload, its signature. */
import { createHmac } from "node:crypto";
import {
  NotificationError,
  type NotificationErrorCode,
  verifyNotifications,
  verifyOperationalEvent,
} from "../../../client/receiver/index.ts";
import { glacierHeader, notificationHeader } from "../../../generated/notification-header.ts";
import { type CompiledAbi, decodeLog } from "../../../server/matching/abi.ts";
import type { Hex } from "../../../server/matching/wire.ts";
import { asArray, asObject, isObject, type Json, type JsonObject, sameJson } from "../../document/json.ts";
import { charsetOf, faultsOfSchema, faultsOfText, notificationHeaders } from "./contract.ts";
import { jsonOrUndefined } from "./exchange.ts";
import { type Finding, masked } from "./findings.ts";
import type { ReceivedDelivery } from "./receiver.ts";
import type { Rule } from "./rules.ts";
import { wrongTimesIn } from "./times.ts";
import { transfersFault } from "./transfers.ts";

/** What is known of a notification by other ways. */
export type Expected = {
  secret: string;
  webhookId: string;
  chainId: string;
  includeLogs: boolean;
  /** Absent counts as false. */
  includeTransfers?: boolean;
  /** Absent counts as false. */
  includeInternalTxs?: boolean;
  /** The webhook's finality; absent for none. */
  finality?: Json;
  /** Whether it is sent as an array of one, under an identifier of the batch. Absent counts as false. */
  batch?: boolean;
  /** The account's shared secret, in hex, of a webhook whose notifications have Glacier's form. */
  sharedSecret?: string;
  /** The webhook's events to decode. */
  abi?: CompiledAbi;
  sequence: number;
  messageId?: string;
};

const ruleOfCode: Record<NotificationErrorCode, Rule> = {
  missing_header: "callback-headers",
  invalid_timestamp: "callback-timestamp",
  timestamp_too_old: "callback-timestamp",
  timestamp_too_new: "callback-timestamp",
  invalid_sequence: "callback-sequence",
  invalid_signature: "callback-signed",
  invalid_secret: "callback-signed",
  invalid_body: "callback-payload",
  message_id_mismatch: "callback-message-id",
};

type Callback = "addressActivity" | "operationalEvent";
const requestOf: Readonly<Record<Callback, string>> = {
  addressActivity: "the notification",
  operationalEvent: "the operational event",
};

/** Makes a finding about a notification. */
export function callbackFinding(rule: Rule, by: string, expected: string, came: string): Finding {
  return sentFinding("addressActivity", { rule, by, expected, came });
}

/** Makes a finding about an operational event. */
export function eventFinding(rule: Rule, by: string, expected: string, came: string): Finding {
  return sentFinding("operationalEvent", { rule, by, expected, came });
}

function sentFinding(subject: Callback, { came, ...of }: Pick<Finding, "rule" | "by" | "expected" | "came">): Finding {
  return { ...of, subject, status: 200, request: requestOf[subject], came: masked(came) };
}

type Report = (rule: Rule, what: string, came: string) => void;

/** What is wrong with a notification. */
export async function examineDelivery(delivery: ReceivedDelivery, expected: Expected, by: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const report: Report = (rule, what, came) => findings.push(callbackFinding(rule, by, what, came));
  const { body } = delivery;
  examineHeaders(delivery, report);
  const sent = jsonOrUndefined(body);
  if (expected.batch && !(Array.isArray(sent) && sent.length === 1)) {
    report("callback-batch", "an array of one notification", excerpt(body));
    return findings;
  }
  const payload = expected.batch ? asArray(sent)[0] : sent;
  const schema = expected.sharedSecret === undefined ? "AddressActivityNotification" : "GlacierNotification";
  const faults = faultsOfSchema(schema, payload);
  for (const fault of faults) report("callback-payload", fault, excerpt(body));
  if (findings.length === 0) await examineSignature(delivery, expected.secret, verifyNotifications, report);
  if (faults.length === 0) {
    if (expected.sharedSecret === undefined) examineMeaning(delivery, asObject(payload), expected, report);
    for (const { rule, expected, came } of wrongTimesIn(schema, payload)) report(rule, expected, came);
  }
  // What else is wrong with it has rules of its own.
  const isAsDescribed = findings.length === 0;
  if (isAsDescribed && expected.sharedSecret !== undefined)
    examineGlaciersForm(delivery, expected.sharedSecret, report);
  return findings;
}

/** What is wrong with the operational event of a test. @param expected.messageId what testOperationalWebhook answered */
export async function examineTestEvent(
  delivery: ReceivedDelivery,
  expected: { secret: string; messageId: Json | undefined },
  by: string,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const report: Report = (rule, what, came) => findings.push(eventFinding(rule, by, what, came));
  const { headers, body } = delivery;
  examineHeaders(delivery, report);
  const event = jsonOrUndefined(body);
  const faults = faultsOfSchema("OperationalEvent", event);
  for (const fault of faults) report("callback-payload", fault, excerpt(body));
  if (findings.length === 0) await examineSignature(delivery, expected.secret, verifyOperationalEvent, report);
  if (faults.length > 0) return findings;
  for (const { rule, expected, came } of wrongTimesIn("OperationalEvent", event)) report(rule, expected, came);
  const { messageId, type } = asObject(event);
  if (type !== "test") report("callback-payload", "the type test", String(type));
  const { [notificationHeader.id]: id, [notificationHeader.sequence]: sequence } = headers;
  if (id !== messageId) report("callback-message-id", `${notificationHeader.id} ${messageId}`, String(id));
  if (messageId !== expected.messageId)
    report(
      "callback-message-id",
      `messageId ${expected.messageId}, as testOperationalWebhook answered`,
      `${messageId}`,
    );
  if (sequence !== "0") report("callback-sequence", `${notificationHeader.sequence} 0`, String(sequence));
  return findings;
}

function examineHeaders({ method, headers }: ReceivedDelivery, report: Report): void {
  if (method !== "POST") report("callback-headers", "POST", method);
  const contentType = String(headers["content-type"] ?? "none");
  if (!/^application\/json\s*(;|$)/i.test(contentType)) report("callback-headers", "application/json", contentType);
  else if (charsetOf(contentType) !== "utf-8") report("charset-utf-8", "no charset, or utf-8", contentType);
  for (const header of notificationHeaders()) {
    const value = headers[header.name];
    // A notification without a signature is unsigned, whatever else is said of headers.
    const rule = header.name === notificationHeader.signature ? "callback-signed" : "callback-headers";
    if (value === undefined) report(rule, `the header ${header.name}`, "no such header");
    else for (const fault of faultsOfText(header, String(value))) report(rule, fault, `${header.name}: ${value}`);
  }
  const { [notificationHeader.signature]: signatures } = headers;
  const isUnpadded = (one: string) => one.startsWith("v1,") && !/^v1,[A-Za-z0-9+/]{43}=$/.test(one);
  if (typeof signatures === "string" && signatures.split(" ").some(isUnpadded))
    report("callback-signed", "the base64 of 32 bytes, with its padding", signatures);
}

function examineGlaciersForm({ headers, body }: ReceivedDelivery, sharedSecret: string, report: Report): void {
  if (body.toString("utf8") !== canonical(jsonOrUndefined(body)))
    report("callback-compatibility", "canonical JSON (RFC 8785)", excerpt(body));
  const signature = createHmac("sha256", Buffer.from(sharedSecret, "hex")).update(body).digest("base64");
  const { [glacierHeader.signature]: came } = headers;
  if (came !== signature)
    report(
      "callback-compatibility",
      "the HMAC-SHA256 of the body, by the shared secret",
      `${glacierHeader.signature}: ${came}`,
    );
}

function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

async function examineSignature(
  { headers, body, receivedAt }: ReceivedDelivery,
  secret: string,
  verify: typeof verifyNotifications | typeof verifyOperationalEvent,
  report: Report,
): Promise<void> {
  try {
    await verify(body, headers, secret, { now: receivedAt });
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error;
    report(ruleOfCode[error.code], "a notification that verifies", error.message);
  }
}

function examineMeaning(
  { headers }: ReceivedDelivery,
  { webhookId, messageId, event }: JsonObject,
  expected: Expected,
  report: Report,
): void {
  if (webhookId !== expected.webhookId) report("callback-webhook", `webhookId ${expected.webhookId}`, `${webhookId}`);
  const { transaction, logs, finalized, confirmations, removed } = asObject(event);
  for (const [name, value] of Object.entries({ removed, finalized }))
    if (value === false) report("callback-payload", `no ${name}, or true`, `${name}: false`);
  if (expected.sequence === 0 && removed !== undefined)
    report("callback-payload", "no removed, since a test is no retraction", `removed: ${removed}`);
  const { chainId } = asObject(transaction);
  if (chainId !== expected.chainId) report("callback-webhook", `chainId ${expected.chainId}`, `${chainId}`);
  if ((logs !== undefined) !== expected.includeLogs)
    report("callback-logs", expected.includeLogs ? "logs" : "no logs", logs === undefined ? "no logs" : "logs");
  const indexes = asArray(logs).map((log) => asObject(log).logIndex);
  if (!indexes.every((logIndex, index) => logIndex === index))
    report("logs-complete", "logs with the logIndex 0, 1, 2, …", `logs with ${indexes.join(", ")}`);
  const fault = transfersFault(asObject(transaction), logs, expected.includeTransfers ?? false);
  if (fault) report("transfers-agree", fault.expected, fault.came);
  const traced = asObject(transaction).internalTransactions !== undefined;
  const wanted = (present: boolean) => (present ? "internalTransactions" : "no internalTransactions");
  if (traced !== (expected.includeInternalTxs ?? false))
    report("callback-internal-txs", wanted(!traced), wanted(traced));
  const depth = finalityFault(expected.finality, { finalized, confirmations });
  if (depth) report("callback-finality", depth, `finalized ${finalized}, confirmations ${confirmations}`);
  const { abi } = expected;
  if (abi) for (const log of asArray(logs).map(asObject)) examineDecoded(log, abi, report);
  const header = headers[notificationHeader.id];
  if (expected.batch) {
    // Which namespace it is in, the contract does not say.
    const isOfBatch = /^[0-9a-f]{8}-[0-9a-f]{4}-5/.test(String(header)) && header !== messageId;
    if (!isOfBatch) report("callback-batch", `${notificationHeader.id} of the batch, a UUIDv5`, `${header}`);
  } else if (header !== undefined && header !== messageId)
    report("callback-message-id", `${notificationHeader.id} ${messageId}`, `${header}`);
  if (expected.messageId !== undefined && header !== undefined && messageId !== expected.messageId)
    report("callback-message-id", `messageId ${expected.messageId}, as testWebhook answered`, `${messageId}`);
  const sequence = headers[notificationHeader.sequence];
  if (/^\d+$/.test(String(sequence)) && sequence !== String(expected.sequence))
    report("callback-sequence", `${notificationHeader.sequence} ${expected.sequence}`, `${sequence}`);
}

/** What an event must say of how deep its block is; undefined where it says so. */
function finalityFault(finality: Json | undefined, { finalized, confirmations }: JsonObject): string | undefined {
  if (finality === undefined || finality === "instant")
    return finalized === undefined && confirmations === undefined ? undefined : "neither finalized nor confirmations";
  if (confirmations === undefined) return "confirmations, since the webhook has a finality";
  if (finality === "finalized") return finalized === true ? undefined : "finalized true";
  const { confirmations: least } = asObject(finality);
  if (least === undefined) return undefined;
  if (finalized !== undefined) return "no finalized, since the webhook's finality is a number of confirmations";
  return Number(confirmations) >= Number(least) ? undefined : `confirmations of at least ${least}`;
}

/** @param log as the contract has it */
function examineDecoded(log: JsonObject, abi: CompiledAbi, report: Report): void {
  const topics = ["topic0", "topic1", "topic2", "topic3"].flatMap((name) =>
    log[name] ? [String(log[name]) as Hex] : [],
  );
  const wire = { address: String(log.address) as Hex, topics, data: String(log.data) as Hex, logIndex: "0x0" } as const;
  const { decoded } = decodeLog(abi, wire);
  if (!sameJson(log.decoded, decoded && structuredClone(decoded as Json)))
    report("logs-decoded", JSON.stringify(decoded) ?? "no decoded", JSON.stringify(log.decoded) ?? "no decoded");
}

function excerpt(body: Buffer): string {
  return body.toString("utf8").slice(0, 300);
}
