/** Follows a replay until it ends. */
import { backOff } from "./deadline.ts";
import type { OperationResult, WebhooksClient } from "./types.ts";

/** How often a replay is asked for, and what ends that early. */
export type FollowReplayOptions = {
  /** The pause between two requests, in milliseconds; 1,000 unless given. */
  intervalMs?: number;
  /** Ends the loop with a `WebhooksError` of the code `aborted`. The replay goes on in the service. */
  signal?: AbortSignal;
};

/**
 * The state of a replay, again and again until it ends. The last one is `done`, `failed` or `cancelled`.
 * @throws WebhooksError as `getReplay` does. TypeError when `intervalMs` is no number of milliseconds.
 * @example
 * for await (const { status, currentBlock, finishesAt } of followReplay(client, webhookId, replay.id)) {
 *   console.log(status, currentBlock, finishesAt && new Date(finishesAt));
 * }
 */
export async function* followReplay(
  client: Pick<WebhooksClient, "getReplay">,
  webhookId: string,
  replayId: string,
  { intervalMs = 1_000, signal }: FollowReplayOptions = {},
): AsyncGenerator<OperationResult<"getReplay">, void, undefined> {
  if (!(intervalMs >= 1 && intervalMs < 2 ** 31)) {
    throw new TypeError("intervalMs must be a number of milliseconds from 1 to 2,147,483,647.");
  }
  for (;;) {
    const replay = await client.getReplay({ path: { id: webhookId, replayId }, signal });
    yield replay;
    if (replay.finishedAt !== undefined) return;
    await backOff("getReplay", intervalMs, signal);
  }
}
