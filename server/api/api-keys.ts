/** Looks API keys up in the store, and notes when each was last used, without waiting for that. */
import type { Logger } from "pino";
import type { FindCaller } from "../contract/authenticate.ts";
import { type Caller, findCaller, noteKeyUse } from "../store/accounts/keys.ts";
import type { Pool } from "../store/pool.ts";

const useNotedEveryMs = 60_000;

/** Finds callers among the keys of the store. */
export function storedKeys(pool: Pool, log: Logger): FindCaller<Caller> {
  const notedAt = new Map<number, number>();
  const note = (keyId: number) => {
    if (performance.now() - (notedAt.get(keyId) ?? -Infinity) < useNotedEveryMs) return;
    notedAt.set(keyId, performance.now());
    noteKeyUse(pool, keyId).catch((err) => log.warn({ err }, "The use of an API key could not be noted."));
  };
  return async (key) => {
    const caller = await findCaller(pool, key);
    if (caller) note(caller.keyId);
    return caller;
  };
}
