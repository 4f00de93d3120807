/** Tells of each attempt in its block's trace, where that is traced. */
import type { Tracing } from "../tracing.ts";
import type { Post } from "./post.ts";

/** An event's text begins with its transaction, and that with its block. */
const searched = 400;

/** @returns the same way to post, traced. Tests, which have the sequence 0, are of no block. */
export function traceAttempts(post: Post, tracing: Tracing | undefined): Post {
  if (!tracing) return post;
  return (endpoint, message, onEnd) => {
    const from = performance.now();
    const { sequence, messageId, text, attempts = 0, trigger = "schedule" } = message;
    const blockHash = /"blockHash":"(0x[0-9a-f]{64})"/.exec(text.slice(0, searched))?.[1];
    if (sequence === 0 || blockHash === undefined) return post(endpoint, message, onEnd);
    const attributes = {
      "messaging.message.id": messageId,
      "chain_webhooks.webhook_id": endpoint.webhookId,
      "chain_webhooks.sequence": sequence,
      "chain_webhooks.attempt": attempts + 1,
      "chain_webhooks.trigger": trigger,
      "http.request.method": "POST",
      // The path may hold a secret of the receiver's.
      "server.address": endpoint.target.hostname,
    };
    return post(endpoint, message, (result) => {
      const error = result ? result.errorClass : "cut_off";
      tracing.tell({
        ...{ name: "deliver", blockHash, isClient: true, from, to: performance.now(), error },
        attributes: {
          ...attributes,
          ...(result?.status !== undefined && { "http.response.status_code": result.status }),
          ...(error !== undefined && { "error.type": error }),
        },
      });
      onEnd(result);
    });
  };
}
