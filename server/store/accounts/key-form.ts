/**
 * The text of an API key: `cwk_<tag>_<secret>`. The tag is the account's, by which a proxy finds the account's cell. The secret is 256 random
 * bits and a checksum of all that is before it, so that a typing error is seen without a look into the database.
 */
import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const start = "cwk_";
const form = /^cwk_[0-9a-f]{12}_[0-9a-f]{72}$/;
/** Keys made before there were tags have no checksum either. */
const formWithoutTag = /^cwk_[0-9a-f]{64}$/;
const checksumLength = 8;
const shownOfSecret = 8;

// CRC-32 finds every error within 32 bits: each wrong character, and each two neighbours that changed places.
const checksum = (text: string) => crc32(text).toString(16).padStart(checksumLength, "0");

/** Makes a key. @param tag the account's: 12 hexadecimal digits */
export function makeKey(tag: string): string {
  const unchecked = `${start}${tag}_${randomBytes(32).toString("hex")}`;
  return unchecked + checksum(unchecked);
}

/** The first characters of a key, by which lists show it: `cwk_<tag>_` and 8 more; of a key without a tag `cwk_` and 8 more. */
export function prefixOf(key: string): string {
  return key.slice(0, key.lastIndexOf("_") + 1 + shownOfSecret);
}

/** Whether a text has the form of a key and, where keys have one, the right checksum. */
export function isWellFormed(key: string): boolean {
  if (formWithoutTag.test(key)) return true;
  return form.test(key) && checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength);
}

/** Whether a text was meant as a key, but has a typing error. */
export function isMistyped(key: string): boolean {
  return key.slice(0, start.length).toLowerCase() === start && !isWellFormed(key);
}
