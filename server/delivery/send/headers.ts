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

/** Shorter values would be found in any text. */
const shortestHidden = 8;

/** How programs write a value: as it is, in JSON of two kinds, in HTML, and in a URL. */
const writings: readonly ((value: string) => string)[] = [
  (value) => value,
  inJson,
  (value) => inJson(value).replaceAll("/", "\\/"),
  (value) => {
    const inner = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    return inner.replaceAll('"', "&quot;").replaceAll("'", "&#39;");
  },
  encodeURIComponent,
];

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** What to look for, the longest first. It is not kept, since it may be ten times as long as the headers, of which an account has thousands. */
function formsOf(own: readonly string[]): string[] {
  const forms = new Set<string>();
  const isLong = ({ length }: string) => length >= shortestHidden;
  for (const value of own.filter((_, at) => at % 2 === 1)) {
    // A scheme precedes a token.
    const token = value.slice(value.indexOf(" ") + 1);
    for (const text of [value, token].filter(isLong)) for (const write of writings) forms.add(write(text));
    for (const word of value.split(" ").filter(isLong)) forms.add(word);
  }
  return [...forms].sort((one, other) => other.length - one.length);
}

/**
 * Hides what a text repeats of headers' values. It must not take long, whatever the values and the text are: 1 KiB takes less than 2 ms.
 *
 * @param own names and values alternately
 */
export function hideValues(own: readonly string[], text: string): string {
  let hidden = text;
  for (const form of formsOf(own)) {
    if (!hidden.includes(form.slice(0, shortestHidden))) continue;
    hidden = hidden.replaceAll(form, "[header]");
    // What is kept of an answer may end within a value.
    const cut = beginningAtEnd(hidden, form);
    if (cut >= shortestHidden) hidden = `${hidden.slice(0, -cut)}[header]`;
  }
  return hidden;
}

/** @returns how many characters of the form the text ends with, if not with all of it. One pass, as Knuth, Morris and Pratt search */
function beginningAtEnd(text: string, form: string): number {
  const both = `${form}\0${text.slice(1 - form.length)}`;
  const matched = new Uint16Array(both.length);
  let length = 0;
  for (let at = 1; at < both.length; at += 1) {
    while (length > 0 && both[at] !== both[length]) length = matched[length - 1] ?? 0;
    if (both[at] === both[length]) length += 1;
    matched[at] = length;
  }
  return length;
}
