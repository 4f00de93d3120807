/** Follows a feed for as long as somebody reads it. */
import { backOff, Interrupted, interruption } from "./deadline.ts";
import { WebhooksError } from "./errors.ts";
import { mayRetry, retryDelayMs } from "./retry.ts";
import type { FeedNotification, FollowFeedOptions, OperationCall, OperationResult } from "./types.ts";

type ReadFeed = (call: OperationCall<"readFeed">) => Promise<OperationResult<"readFeed">>;

const longestWaitSeconds = 30;
/** What of a try's time is left for everything but waiting. */
const courtesySeconds = 5;
const pauseMs = 1_000;

/**
 * The notifications of a feed, one after the other, without end. It goes on by itself after whatever may pass.
 *
 * @param timeoutMs of one try
 */
export async function* followNotifications(
  read: ReadFeed,
  id: string,
  { after, signal, onPage, onRetry }: FollowFeedOptions,
  timeoutMs: number,
): AsyncGenerator<FeedNotification, void, undefined> {
  const wait = Math.max(0, Math.min(longestWaitSeconds, Math.floor(timeoutMs / 1_000) - courtesySeconds));
  let last = after;
  for (let failures = 0; ; ) {
    let feed: OperationResult<"readFeed">;
    try {
      feed = await read({ path: { id }, query: { wait, ...(last !== undefined && { after: last }) }, signal });
      failures = 0;
    } catch (error) {
      if (!(error instanceof WebhooksError) || !mayRetry({ method: "get" }, error)) throw error;
      onRetry?.(error);
      await backOff("readFeed", retryDelayMs(failures, error.retryAfterSeconds) ?? 30_000, signal);
      failures += 1;
      continue;
    }
    onPage?.({ count: feed.notifications.length, lastSequence: feed.lastSequence });
    for (const notification of feed.notifications) {
      if (signal?.aborted) throw interruption("readFeed", new Interrupted("aborted", signal.reason), timeoutMs);
      yield notification;
      last = notification.sequence;
    }
    // Nothing is kept any more.
    if (feed.notifications.length === 0) last ??= feed.lastSequence;
    // Without the time to wait there, it waits here.
    if (feed.notifications.length === 0 && wait === 0) await backOff("readFeed", pauseMs, signal);
  }
}
