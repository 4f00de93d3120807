/** Replays of blocks. The API only records the request; the process that follows the chain does the work. */
import type { components } from "../../../generated/types.ts";
import { badRequest } from "../../contract/errors.ts";
import { createReplay, getReplay, longestReplay } from "../../store/chains/replays.ts";
import { inTransaction } from "../../store/pool.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";

export function replayHandlers({ pool }: HandlerContext): Pick<ServiceHandlers, "createReplay" | "getReplay"> {
  return {
    async createReplay({ caller, path: { id }, body }) {
      const range = readRange(body);
      const replay = await inTransaction(pool, (db) => createReplay(db, caller.accountId, id, range));
      return { status: 202, headers: { Location: `/v1/webhooks/${id}/replays/${replay.id}` }, body: replay };
    },
    async getReplay({ caller, path: { id, replayId } }) {
      return { status: 200, body: await getReplay(pool, caller.accountId, id, replayId) };
    },
  };
}

/** Block numbers of any length come as text, so they are compared before they become numbers. @throws {HttpError} 400 */
export function readRange({ fromBlock, toBlock }: components["schemas"]["ReplayCreate"]): { from: bigint; to: bigint } {
  const [from, to] = [BigInt(fromBlock), BigInt(toBlock)];
  if (from > to) throw badRequest("fromBlock must be at most toBlock.");
  if (to - from >= longestReplay)
    throw badRequest(`toBlock must be at most ${(longestReplay - 1).toLocaleString("en")} above fromBlock.`);
  return { from, to };
}
