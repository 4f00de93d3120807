/** Remembers which keys were valid lately, by a hash of them, so that who has one is not refused for what others do from the same address. */
import { hash } from "node:crypto";

const mostKnown = 10_000;

/** Makes the memory. It does not say that a key is still valid: it is looked up all the same. */
export function knownKeys(): { add(key: string): void; has(key: string): boolean } {
  const hashes = new Set<string>();
  const hashOf = (key: string) => hash("sha256", key, "base64");
  return {
    add(key) {
      const own = hashOf(key);
      if (hashes.has(own)) return;
      const [oldest] = hashes.size >= mostKnown ? hashes : [];
      if (oldest !== undefined) hashes.delete(oldest);
      hashes.add(own);
    },
    has: (key) => hashes.has(hashOf(key)),
  };
}
