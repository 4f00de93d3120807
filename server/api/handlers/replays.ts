/** Replays of blocks. The API only records the request; the process that follows the chain does the work. */
import { readReplayRange } from "../../settings/limits.ts";
import { createReplay, getReplay } from "../../store/chains/replays.ts";
import { inTransaction } from "../../store/pool.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";

export function replayHandlers({ pool }: HandlerContext): Pick<ServiceHandlers, "createReplay" | "getReplay"> {
  return {
    async createReplay({ caller, path: { id }, body }) {
      const range = readReplayRange(body);
      const replay = await inTransaction(pool, (db) => createReplay(db, caller.accountId, id, range));
      return { status: 202, headers: { Location: `/v1/webhooks/${id}/replays/${replay.id}` }, body: replay };
    },
    async getReplay({ caller, path: { id, replayId } }) {
      return { status: 200, body: await getReplay(pool, caller.accountId, id, replayId) };
    },
  };
}
