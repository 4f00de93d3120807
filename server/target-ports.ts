/**
 * Ports that notifications are not sent to, because another protocol is spoken there whose servers could take a line of ours for
 * a command: those that browsers refuse (https://fetch.spec.whatwg.org/#port-blocking), such as 22 and 25.
 */
import { createRequire } from "node:module";

// As undici keeps them for its own fetch. It has no other door to them, and its version is pinned.
const { badPortsSet } = createRequire(import.meta.url)("undici/lib/web/fetch/constants.js") as {
  badPortsSet: ReadonlySet<string>;
};

/** @param port as a URL has it, so "" for the scheme's own */
export function isPortOfAnother(port: string): boolean {
  return badPortsSet.has(port);
}
