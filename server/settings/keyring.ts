/** Encrypts signing secrets, and the headers of webhooks' own, in the database: AES-256-GCM under the operator's keys, which the database does not have. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { ServiceError } from "../base/errors.ts";

/** A secret as stored: plain, or encrypted under the named key. */
export type KeptSecret = { secret: Buffer | null; keyId: string | null; sealed: Buffer | null };

/** The operator's keys. */
export type Keyring = {
  /** The names of the keys. The first encrypts. If empty, secrets are stored in plain. */
  readonly keyIds: readonly string[];
  /** Encrypts a secret for storage. It can be decrypted for this owner only: the id of a webhook, `headers ` and such an id, or `account ` and a tag. */
  seal(owner: string, secret: Buffer): KeptSecret;
  /** The same keys, and this one encrypts. @returns undefined without it */
  startingWith(keyId: string): Keyring | undefined;
  /** @throws {ServiceError} `secret_unreadable` when no key decrypts it, or it was encrypted for another owner */
  open(owner: string, kept: KeptSecret): Buffer;
};

const kindOf = (owner: string) => (owner.startsWith("account ") ? "account" : "webhook");

/** The error for a secret that this process cannot decrypt. Nothing is signed without it. */
function unreadable(owner: string, keyId: string, reason: string): ServiceError {
  const [kind, id] = owner.split(" ");
  const whose =
    kind === "headers"
      ? `What the headers of the webhook ${id} contain`
      : kindOf(owner) === "account"
        ? `The shared secret of the ${owner}`
        : `The signing secret of the webhook ${owner}`;
  return new ServiceError("secret_unreadable", `${whose} is encrypted under the key ${keyId}, ${reason}.`);
}

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** Binds a secret to its owner: it cannot be decrypted for another. */
const bindingOf = (owner: string) => Buffer.from(`chain-webhooks signing secret ${owner}`);

/**
 * Reads keys of 32 bytes each, in hexadecimal or base64, separated by commas. The first encrypts, all of them decrypt. Without
 * any, secrets are stored in plain.
 *
 * @throws {ServiceError} `config_invalid`, whose message never contains a key
 * @example
 * const keyring = parseKeyring(`${newest},${older}`);
 */
export function parseKeyring(text: string): Keyring {
  const keys = text.trim() === "" ? [] : text.split(",").map((part) => parseKey(part.trim()));
  const ring = new Map(keys.map((key) => [keyIdOf(key), createSecretKey(key)]));
  if (ring.size < keys.length)
    throw new ServiceError("config_invalid", "SECRET_KEY must not contain the same key twice.");
  return ringOf(ring);
}

function ringOf(ring: ReadonlyMap<string, KeyObject>): Keyring {
  const [current] = ring;
  return {
    keyIds: [...ring.keys()],
    seal(owner, secret) {
      if (!current) return { secret, keyId: null, sealed: null };
      const [keyId, key] = current;
      return { secret: null, keyId, sealed: encrypt(key, bindingOf(owner), secret) };
    },
    startingWith(keyId) {
      const key = ring.get(keyId);
      return key && ringOf(new Map([[keyId, key], ...ring]));
    },
    open(owner, { secret, keyId, sealed }) {
      if (keyId === null || sealed === null) return secret ?? Buffer.alloc(0);
      const key = ring.get(keyId);
      if (!key) throw unreadable(owner, keyId, "which SECRET_KEY does not contain");
      try {
        return decrypt(key, bindingOf(owner), sealed);
      } catch {
        throw unreadable(owner, keyId, `and was changed or belongs to another ${kindOf(owner)}`);
      }
    },
  };
}

/** The keyring without keys. */
export const noKeys: Keyring = parseKeyring("");

/** @returns a new key, in the form that `parseKeyring` reads */
export function newKey(): string {
  return randomBytes(keyBytes).toString("base64");
}

function parseKey(text: string): Buffer {
  const key = Buffer.from(text, /^[0-9a-f]+$/i.test(text) && text.length === 2 * keyBytes ? "hex" : "base64");
  const isWhole = key.length === keyBytes && /^([0-9a-f]{64}|[A-Za-z0-9+/]{43}=?)$/i.test(text);
  if (!isWhole)
    throw new ServiceError(
      "config_invalid",
      "SECRET_KEY must be 32 random bytes as 64 hexadecimal digits or in base64, or several such keys separated by commas.",
    );
  return key;
}

/** A hash, so that the name reveals nothing about the key and no two keys share one. */
const keyIdOf = (key: Buffer) =>
  createHash("sha256").update("chain-webhooks key id").update(key).digest("hex").slice(0, 16);

function encrypt(key: KeyObject, binding: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(binding);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: KeyObject, binding: Buffer, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(binding);
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
