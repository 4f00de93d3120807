/**
 * A pattern that every dialect reads. RE2 (Go, Rust) and PCRE do not know `\u0000`; `\x00` means the same to them, and to JavaScript too.
 *
 * @example portablePattern(String.raw`^[^\u0000]*$`) // ^[^\x00]*$
 */
export function portablePattern(pattern: string): string {
  return pattern.replaceAll(/(?<!\\)((?:\\\\)*)\\u00([0-9a-fA-F]{2})/g, "$1\\x$2");
}
