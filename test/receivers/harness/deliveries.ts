/** What a receiver accepts and what it refuses: a delivery of the service, and what others make of it. */
import { randomUUID } from "node:crypto";
import { signingKey } from "../../../server/delivery/endpoint/endpoint.ts";
import { signedValues } from "../../../server/delivery/send/headers.ts";
import type { Sent } from "./forwarder.ts";

export const mostBytes = 32 * 1024 * 1024;

/** Signs as the service does, at a time of the test's choice. */
export function signed(sent: Sent, secret: string, options: { body?: string | Buffer; ageMs?: number } = {}): Sent {
  const body = Buffer.from(options.body ?? sent.body);
  const key = signingKey(Buffer.from(secret.replace("whsec_", ""), "base64"), null);
  const { id, timestamp, signature } = signedValues(idOf(body), body, [key], Date.now() - (options.ageMs ?? 0));
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  return { headers: { ...sent.headers, ...headers }, body };
}

/** A body with another messageId, and a field that /v1 may have one day. */
export const laterBody = ({ body }: Sent, addedLater: string) =>
  JSON.stringify({ ...JSON.parse(body.toString()), messageId: randomUUID(), addedLater });

export const idOf = (body: Buffer): string => JSON.parse(body.toString()).messageId;

/** With headers changed; one that is undefined is left out. */
export function withHeaders(sent: Sent, changed: Record<string, string | undefined>): Sent {
  const entries = Object.entries({ ...sent.headers, ...changed });
  return {
    ...sent,
    headers: Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  };
}

/** What must be refused, each made from a delivery that is fresh and good. */
export function badOnes(good: Sent, secret: string): [string, Sent][] {
  const { "webhook-signature": signature = "", "webhook-timestamp": timestamp = "" } = good.headers;
  const changedSignature = signature.replace(/^v1,(.)/, (_, first: string) => `v1,${first === "A" ? "B" : "A"}`);
  const [id, text] = [idOf(good.body), good.body.toString()];
  const signatures = ["", "v1", "v1,", ",", " ", "v1,é", "v1,a,b", "nonsense", changedSignature];
  return [
    ["a changed value", { ...good, body: Buffer.from(text.replace('"txStatus":"1"', '"txStatus":"0"')) }],
    ["a space after the body", { ...good, body: Buffer.from(`${text} `) }],
    ["the same JSON, written otherwise", { ...good, body: Buffer.from(JSON.stringify(JSON.parse(text), null, 1)) }],
    ["no body", { ...good, body: Buffer.alloc(0) }],
    ["a body that is not UTF-8", { ...good, body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }],
    ["another messageId", withHeaders(good, { "webhook-id": randomUUID() })],
    ["a messageId beyond ASCII", withHeaders(good, { "webhook-id": `${id}é` })],
    ["a newer timestamp than was signed", withHeaders(good, { "webhook-timestamp": String(Number(timestamp) + 1) })],
    ["a signature of ten minutes ago", signed(good, secret, { ageMs: 600_000 })],
    ["a signature of in ten minutes", signed(good, secret, { ageMs: -600_000 })],
    ["another secret's signature", signed(good, `whsec_${Buffer.alloc(24, 7).toString("base64")}`)],
    ["a signature of another version", withHeaders(good, { "webhook-signature": signature.replace(/^v1,/, "v2,") })],
    ...["webhook-id", "webhook-timestamp", "webhook-signature"].map((name): [string, Sent] => [
      `no ${name}`,
      withHeaders(good, { [name]: undefined }),
    ]),
    ...["", "soon", "NaN", "-1", "9".repeat(30)].map((value): [string, Sent] => [
      `the timestamp ${JSON.stringify(value)}`,
      withHeaders(good, { "webhook-timestamp": value }),
    ]),
    ...signatures.map((value): [string, Sent] => [
      `the signature ${JSON.stringify(value)}`,
      withHeaders(good, { "webhook-signature": value }),
    ]),
  ];
}
