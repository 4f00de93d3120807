/** Remembers which keys were valid lately, by a hash of them, so that who has one is not refused for what others do from the same address. */
import { createHash } from "node:crypto";

const mostKnown = 10_000;

/** Makes the memory. It does not say that a key is still valid: it is looked up all the same. */
export function knownKeys(): { add(key: string): void; has(key: string): boolean } {
  const hashes = new Set<string>();
  const hashOf = (key: string) => createHash("sha256").update(key).digest("base64");
  return {
    add(key) {
      const hash = hashOf(key);
      if (hashes.has(hash)) return;
      const [oldest] = hashes.size >= mostKnown ? hashes : [];
      if (oldest !== undefined) hashes.delete(oldest);
      hashes.add(hash);
    },
    has: (key) => hashes.has(hashOf(key)),
  };
}
