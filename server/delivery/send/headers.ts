/**
 * The headers of a notification, with the signature after Standard Webhooks (https://www.standardwebhooks.com): the service's, and those of
 * `trigger`, the mock and the tests.
 */
import { createHmac, type Hmac } from "node:crypto";
import { glacierHeader, notificationHeader } from "../../../generated/notification-header.ts";
import type { SigningKey } from "../endpoint/endpoint.ts";

/** A value for each header that the contract names. With a new header there, the compiler asks every sender for its value. */
export type HeaderValues = Readonly<Record<keyof typeof notificationHeader, string>>;

type HeaderName = (typeof notificationHeader)[keyof typeof notificationHeader] | "content-type" | "user-agent";

const sameHeaders = { "content-type": "application/json", "user-agent": "chain-webhooks/1" } as const;
const sameList = Object.entries(sameHeaders).flat();
const headerKeys = Object.keys(notificationHeader) as (keyof typeof notificationHeader)[];

export function headersOf(values: HeaderValues): Record<HeaderName, string> {
  const named = headerKeys.map((key) => [notificationHeader[key], values[key]]);
  return { ...sameHeaders, ...Object.fromEntries(named) };
}

/** The same, names and values alternately. It costs 0.3 µs; an object costs 2 µs. */
export function headerList(values: HeaderValues): string[] {
  const list = sameList.slice();
  for (const key of headerKeys) list.push(notificationHeader[key], values[key]);
  return list;
}

/**
 * @param body the exact bytes sent
 * @param keys every secret of the webhook; expired ones do not sign
 * @param nowMs since the epoch
 * @returns the signed headers' values, and the signatures
 */
export function signedValues(
  id: string,
  body: Buffer,
  keys: readonly SigningKey[],
  nowMs: number,
): Pick<HeaderValues, "id" | "timestamp" | "signature"> {
  const timestamp = timestampOf(nowMs);
  const signatures = validKeys(keys, nowMs).map(({ key }) =>
    signatureOf(createHmac("sha256", key).update(signedPrefix(id, timestamp)).update(body)),
  );
  return { id, timestamp, signature: signatures.join(" ") };
}

/** @param nowMs since the epoch */
export function timestampOf(nowMs: number): string {
  return Math.floor(nowMs / 1000).toString();
}

/** What is signed before the body. */
export function signedPrefix(id: string, timestamp: string): string {
  return `${id}.${timestamp}.`;
}

/** The keys that sign. @param nowMs since the epoch */
export function validKeys(keys: readonly SigningKey[], nowMs: number): readonly SigningKey[] {
  return keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > nowMs);
}

export function signatureOf(hash: Hmac): string {
  return `v1,${hash.digest("base64")}`;
}

/** The headers of Glacier's form. @param signatures of the body in base64, by each shared key that signs, the newest first */
export function glacierHeaders(signatures: readonly string[]): [name: string, value: string][] {
  const names = [glacierHeader.signature, glacierHeader.signaturePrevious];
  return names.flatMap((name, index) => {
    const signature = signatures[index];
    return signature === undefined ? [] : [[name, signature]];
  });
}
