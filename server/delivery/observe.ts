/** Metrics and traces of delivery: attempts by outcome, how long notifications waited for them, and what is in memory. */
import type { Metrics } from "../base/metrics.ts";
import type { Tracing } from "../base/tracing.ts";
import type { Accounts } from "./account.ts";
import type { Outcome } from "./exchange.ts";
import type { OwnedShard } from "./feed-context.ts";
import type { Addressee, Message, Post } from "./post.ts";
import type { QueuedNotification } from "./queued-notification.ts";

/** @returns a function to call with each outcome, and how many notifications it is of */
export function countOutcomes({ delivery }: Metrics): (outcome: Outcome, notifications: number) => void {
  return ({ errorClass = "delivered", durationMs }, notifications) => {
    delivery.attempts.inc({ outcome: errorClass }, notifications);
    delivery.attemptSeconds.observe({ outcome: errorClass }, durationMs / 1_000);
  };
}

/** @param now the database's time, in ms since the epoch @returns a function to call with each notification that is sent */
export function countDelays({ delivery }: Metrics, now: () => number): (notification: QueuedNotification) => void {
  return ({ attemptsMade, recordedAtMs, dueAtMs }) => {
    const since = attemptsMade === 0 ? recordedAtMs : dueAtMs;
    if (since === undefined) return;
    const histogram = attemptsMade === 0 ? delivery.firstAttemptSeconds : delivery.retrySeconds;
    // The two clocks differ by up to a round trip, so the moment may seem to be in the future.
    histogram.observe(Math.max(0, now() - since) / 1_000);
  };
}

/** Sets the gauges at each scrape. @returns a function that stops it */
export function reportGauges(
  { delivery, lease, onScrape }: Metrics,
  of: { shards: ReadonlyMap<number, OwnedShard>; accounts: Accounts; held: () => string[] },
): () => void {
  return onScrape(() => {
    delivery.inFlight.set(of.accounts.all.exchanges.held);
    delivery.queued.set(of.accounts.all.notifications.held);
    delivery.unrecorded.set(of.accounts.all.unrecorded.held);
    const count = { well: 0, failing: 0, resting: 0 };
    for (const { endpoints } of of.shards.values())
      for (const { isFailing, isResting } of endpoints.values())
        count[isResting ? "resting" : isFailing ? "failing" : "well"] += 1;
    for (const state of ["well", "failing", "resting"] as const) delivery.endpoints.set({ state }, count[state]);
    for (const key of of.held()) lease.held.set({ kind: "shard", key }, 1);
  });
}

/** An event's JSON begins with its transaction, and that with its block. */
const searchedCharacters = 400;

/** @returns a `post` that also adds each attempt to its block's trace. Tests, with the sequence 0, belong to no block. */
export function traceAttempts(post: Post, tracing: Tracing | undefined): Post {
  if (!tracing) return post;
  return (endpoint, messages, onEnd) => {
    const from = performance.now();
    const traced = messages.flatMap((message) => {
      const blockHash = /"blockHash":"(0x[0-9a-f]{64})"/.exec(message.eventText.slice(0, searchedCharacters))?.[1];
      return message.sequence === 0 || blockHash === undefined ? [] : [{ blockHash, message }];
    });
    if (traced.length === 0) return post(endpoint, messages, onEnd);
    return post(endpoint, messages, (outcome) => {
      const error = outcome ? outcome.errorClass : "cut_off";
      for (const { blockHash, message } of traced)
        tracing.record({
          ...{ name: "deliver", blockHash, isClient: true, from, to: performance.now(), error },
          attributes: {
            ...attributesOf(endpoint, message),
            ...(outcome?.status !== undefined && { "http.response.status_code": outcome.status }),
            ...(error !== undefined && { "error.type": error }),
          },
        });
      onEnd(outcome);
    });
  };
}

function attributesOf(
  { webhookId, target }: Addressee,
  { messageId, sequence, attemptsMade = 0, trigger = "schedule" }: Message,
) {
  return {
    "messaging.message.id": messageId,
    "chain_webhooks.webhook_id": webhookId,
    "chain_webhooks.sequence": sequence,
    "chain_webhooks.attempt": attemptsMade + 1,
    "chain_webhooks.trigger": trigger,
    "http.request.method": "POST",
    // The path may contain a secret of the receiver's.
    "server.address": target.hostname,
  };
}
