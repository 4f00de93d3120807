/** Counts attempts to deliver by what came of them. Tests, which have the sequence 0, are none. */
import type { Metrics } from "../metrics.ts";
import type { Post } from "./post.ts";

/** @returns the same way to post, counted */
export function countAttempts(post: Post, { delivery }: Metrics): Post {
  return (endpoint, message) => {
    const exchange = post(endpoint, message);
    if (message.sequence > 0)
      void exchange.outcome.then((result) => {
        if (!result) return;
        const outcome = result.errorClass ?? "delivered";
        delivery.attempts.inc({ outcome });
        delivery.attemptSeconds.observe({ outcome }, result.durationMs / 1_000);
      });
    return exchange;
  };
}
