/** The signature scheme of Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, by Web Crypto. */
import { concatBytes, decodeBase64, encodeBase64, toBytes } from "./bytes.ts";
import { NotificationError } from "./errors.ts";
import type { SignedHeaders } from "./headers.ts";

const algorithm = { name: "HMAC", hash: "SHA-256" };
const prefix = "whsec_";

/** The service sends one, or two in a rotation; each costs a hash of the body, so a sender cannot be allowed any number. */
const mostSignatures = 8;

/** What `signNotification` signs. */
export type NotificationToSign = {
  /** The `webhook-id`, which is the notification's `messageId`. */
  id: string;
  /** The `webhook-timestamp`, in seconds since the epoch. */
  timestamp: number;
  /** The body, exactly as it will be sent. */
  body: string | Uint8Array | ArrayBuffer;
  /** The webhook's secret, `whsec_` and base64. */
  secret: string;
};

/**
 * Signs as the service does, for tests and tools that play the service.
 * @returns a value for the header `webhook-signature`.
 * @throws NotificationError `invalid_secret`.
 * @example
 * const timestamp = Math.floor(Date.now() / 1000);
 * const signature = await signNotification({ id: messageId, timestamp, body, secret });
 */
export async function signNotification({ id, timestamp, body, secret }: NotificationToSign): Promise<string> {
  const [keyBytes] = decodeSecrets(secret);
  const key = await importKey(keyBytes, "sign");
  const content = signedContent(id, String(timestamp), toBytes(body) ?? new Uint8Array());
  return `v1,${encodeBase64(new Uint8Array(await crypto.subtle.sign(algorithm, key, content)))}`;
}

/**
 * Whether one of the signatures is by one of the keys. Compared by Web Crypto, in constant time. Signatures of other
 * versions than v1, and more than eight of v1, are passed over.
 */
export async function isSigned(headers: SignedHeaders, body: Uint8Array, keys: readonly Uint8Array<ArrayBuffer>[]) {
  const content = signedContent(headers.id, headers.timestamp, body);
  const signatures = headers.signature
    .split(" ")
    .flatMap((each) => (each.startsWith("v1,") ? (decodeBase64(each.slice(3)) ?? []) : []))
    .slice(0, mostSignatures);
  for (const keyBytes of keys) {
    const key = await importKey(keyBytes, "verify");
    for (const signature of signatures) {
      if (await crypto.subtle.verify(algorithm, key, signature, content)) return true;
    }
  }
  return false;
}

/** The keys of one secret or several. @throws NotificationError `invalid_secret`, without a word of the secret. */
export function decodeSecrets(
  secret: string | readonly string[],
): [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]] {
  const [first, ...others] =
    typeof secret === "string"
      ? [decodeSecret(secret, "secret")]
      : [...(secret ?? [undefined])].map((each, at) => decodeSecret(each, secret ? `secret[${at}]` : "secret"));
  if (!first) throw new NotificationError("invalid_secret", "There must be at least one secret.");
  return [first, ...others];
}

/** @param name of the value, for the error: a variable of the environment that is not set is an empty text, or none */
function decodeSecret(secret: unknown, name: string): Uint8Array<ArrayBuffer> {
  const text = typeof secret === "string" ? secret : "";
  const key = text.startsWith(prefix) && decodeBase64(text.slice(prefix.length));
  if (key) return key;
  const isEmpty = (secret ?? "") === "" || text.trim() === "" || text.trim() === prefix;
  const problem = isEmpty ? `${name} is empty; it` : name;
  throw new NotificationError("invalid_secret", `${problem} must be ${prefix} and base64, as the service returned it.`);
}

function importKey(bytes: Uint8Array<ArrayBuffer>, usage: "sign" | "verify"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, algorithm, false, [usage]);
}

function signedContent(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  return concatBytes([new TextEncoder().encode(`${id}.${timestamp}.`), body]);
}
