/** API keys: looks them up in the store, notes when each was last used, and remembers which were valid. */
import { hash } from "node:crypto";
import type { Logger } from "../../base/log.ts";
import { type FindCaller, ownScheme, unauthorized } from "../../contract/security.ts";
import { isMistyped } from "../../store/accounts/key-form.ts";
import { type Caller, findCaller, noteKeyUse } from "../../store/accounts/keys.ts";
import type { Pool } from "../../store/pool.ts";

const useNotedEveryMs = 60_000;

/**
 * Finds callers among the keys of the store. The note of a key's use is not waited for. A mistyped key is refused without a look into the
 * store.
 */
export function storedKeys(pool: Pool, log: Logger): FindCaller<Caller> {
  const notedAt = new Map<number, number>();
  const note = (keyId: number) => {
    if (performance.now() - (notedAt.get(keyId) ?? -Infinity) < useNotedEveryMs) return;
    notedAt.set(keyId, performance.now());
    noteKeyUse(pool, keyId).catch((err) => log.warn({ err }, "The use of an API key could not be noted."));
  };
  return async (key) => {
    if (isMistyped(key)) throw unauthorized(ownScheme, "this one is mistyped");
    const caller = await findCaller(pool, key);
    if (caller) note(caller.keyId);
    return caller;
  };
}

const maxKnown = 10_000;

/**
 * Remembers which keys were valid recently, by a hash. Their owner is not refused for what others do from the same address. It does not
 * say that a key is still valid: each is looked up all the same.
 */
export function knownKeys(): { add(key: string): void; has(key: string): boolean } {
  const hashes = new Set<string>();
  const hashOf = (key: string) => hash("sha256", key, "base64");
  return {
    add(key) {
      const own = hashOf(key);
      if (hashes.has(own)) return;
      const [oldest] = hashes.size >= maxKnown ? hashes : [];
      if (oldest !== undefined) hashes.delete(oldest);
      hashes.add(own);
    },
    has: (key) => hashes.has(hashOf(key)),
  };
}
