/**
 * What the mock uses of Node, for a page: `npm run build` puts these in the place of Node's modules and globals, and of a package that compiles its
 * code when it is loaded. They do as much as the mock asks for.
 */
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
// @ts-expect-error: undici has no types of its own parts.
import fetchConstants from "undici/lib/web/fetch/constants.js";
import { contractPart } from "../../../../generated/mock-contract.js";

type Encoding = "utf8" | "hex" | "latin1" | "base64" | "base64url";

const latin1 = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
const ofLatin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Bytes, as much of `Buffer` as is used. */
class Bytes extends Uint8Array {
  static override from(text: unknown, encoding: unknown = "utf8"): Bytes {
    return new Bytes(encoding === "utf8" ? utf8ToBytes(String(text)) : decoded(String(text), encoding as Encoding));
  }

  static byteLength(text: string): number {
    return utf8ToBytes(text).length;
  }

  override toString(encoding: Encoding = "utf8", from = 0, to = this.length): string {
    const part = Uint8Array.prototype.subarray.call(new Uint8Array(this), from, to);
    if (encoding === "utf8") return new TextDecoder().decode(part);
    if (encoding === "hex") return bytesToHex(part);
    const text = latin1(part);
    if (encoding === "latin1") return text;
    return encoding === "base64" ? btoa(text) : btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }

  readUInt8(at: number): number {
    return this[at] ?? 0;
  }

  writeUInt8(value: number, at: number): void {
    this[at] = value;
  }
}

/** @returns nothing of what is not in this encoding */
function decoded(text: string, encoding: Encoding): Uint8Array {
  if (encoding === "hex") return hexToBytes(text);
  if (encoding === "latin1") return ofLatin1(text);
  try {
    return ofLatin1(atob(text.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return new Uint8Array();
  }
}

export { Bytes as Buffer };

/** `node:crypto`: the hashes that the contract's identifiers are made of. */
export function createHash(algorithm: "sha1" | "sha256") {
  const input = (algorithm === "sha1" ? sha1 : sha256).create();
  const hash = {
    update(text: string, encoding?: "hex") {
      input.update(encoding ? hexToBytes(text) : utf8ToBytes(text));
      return hash;
    },
    digest(encoding?: Encoding) {
      const digest = new Bytes(input.digest());
      return encoding ? digest.toString(encoding) : digest;
    },
  };
  return hash;
}

export const randomUUID = (): string => crypto.randomUUID();
export const randomBytes = (count: number) => new Bytes(crypto.getRandomValues(new Uint8Array(count)));

/** `hash-wasm`: the hash of an address's checksum. */
export function createKeccak(_bits: 256) {
  let input = keccak_256.create();
  const hasher = {
    init() {
      input = keccak_256.create();
      return hasher;
    },
    update(text: string) {
      input.update(utf8ToBytes(text));
      return hasher;
    },
    digest: (_form: "binary") => input.digest(),
  };
  return hasher;
}

/** `node:fs/promises`: there is one file, the contract. */
export const readFile = async () => JSON.stringify(contractPart);

/** `node:net` */
export function isIP(text: string): 0 | 4 | 6 {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text))
    return text.split(".").every((part) => /^(0|[1-9]\d*)$/.test(part) && Number(part) < 256) ? 4 : 0;
  return text.includes(":") && URL.canParse(`http://[${text}]/`) ? 6 : 0;
}

/** `node:module`: undici's list of ports is all that is required by name. */
export const createRequire = () => () => fetchConstants as unknown;

type Timer = { unref(): Timer; id: ReturnType<typeof globalThis.setTimeout> };

function timer(id: ReturnType<typeof globalThis.setTimeout>): Timer {
  // In Node it must not keep a test's process alive.
  if (typeof id === "object") id.unref();
  const made = { id, unref: () => made };
  return made;
}

/** A function for `setTimeout(act, ms)`, and a promise for the one of `node:timers/promises`, `setTimeout(ms, value, options)`. */
export function setTimeout(act: number, value?: unknown, options?: { signal?: AbortSignal }): Promise<unknown>;
export function setTimeout(act: (...given: unknown[]) => void, ms?: number): Timer;
export function setTimeout(act: number | (() => void), ms?: unknown, options: { signal?: AbortSignal } = {}) {
  if (typeof act === "function") return timer(globalThis.setTimeout(act, Number(ms ?? 0)));
  return new Promise((resolve, reject) => {
    const { id } = timer(globalThis.setTimeout(() => resolve(ms), act));
    options.signal?.addEventListener("abort", () => {
      globalThis.clearTimeout(id);
      reject(options.signal?.reason);
    });
  });
}

export const clearTimeout = (made: Timer | undefined): void => globalThis.clearTimeout(made?.id);
export const setInterval = (act: () => void, ms: number): Timer => timer(globalThis.setInterval(act, ms));
export const clearInterval = (made: Timer | undefined): void => globalThis.clearInterval(made?.id);

export function setImmediate(act?: (...given: unknown[]) => void, ...given: unknown[]): Promise<void> | undefined {
  if (!act) return new Promise((resolve) => void globalThis.setTimeout(resolve, 0));
  globalThis.setTimeout(() => act(...given), 0);
  return undefined;
}
