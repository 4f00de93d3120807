/** Why a consumer stands still. */
import { WebhooksError } from "../errors.ts";

/**
 * What went wrong, for code to branch on:
 *
 * - `handler_failed`: `onNotification` or `onRetraction` threw. Nothing of that notification is stored. It is handled again after a pause.
 * - `store_failed`: the store could not be read, or its transaction did not commit.
 * - `feed_failed`: the feed could not be read.
 * - `gone`: the service no longer keeps the next notification. `firstSequence` is the next one that it has. Only `skip` leads on.
 * - `feed_behind`: the service's newest sequence is below the position, as after a restore of its backup. It is asked again after a pause.
 * - `out_of_order`: the feed returned another sequence than the next one.
 * - `not_next`: what `skip` should pass over does not begin with the next sequence, or has not happened yet.
 * - `not_handled`: a POST could not be answered with a success, because its notification is not stored yet. The service sends it again.
 */
export type ConsumerErrorCode =
  | "handler_failed"
  | "store_failed"
  | "feed_failed"
  | "gone"
  | "feed_behind"
  | "out_of_order"
  | "not_next"
  | "not_handled";

/**
 * Every failure of a consumer. Its `cause` is the error behind it.
 * @example
 * onError: (error) => {
 *   if (error.code === "gone") page(`Notifications before ${error.firstSequence} are no longer kept.`);
 * },
 */
export class ConsumerError extends Error {
  override readonly name = "ConsumerError";
  /** Stable, for code to branch on. */
  readonly code: ConsumerErrorCode;
  /** The notification that could not be handled, where it is about one. */
  readonly sequence: number | undefined;
  /** With the code `gone`: the first notification after the position that the service still keeps. */
  readonly firstSequence: number | undefined;

  constructor(
    code: ConsumerErrorCode,
    message: string,
    { sequence, firstSequence, ...options }: { cause?: unknown; sequence?: number; firstSequence?: number } = {},
  ) {
    super(message, options);
    this.code = code;
    this.sequence = sequence;
    this.firstSequence = firstSequence;
  }
}

/** Whatever was thrown. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "what was thrown has no text";
  }
}

export function toConsumerError(error: unknown, code: "store_failed" | "not_handled"): ConsumerError {
  if (error instanceof ConsumerError) return error;
  const what = code === "store_failed" ? "The store failed" : "The POST could not be handled";
  return new ConsumerError(code, `${what}: ${messageOf(error)}`, { cause: error });
}

export function toFeedError(cause: unknown, position: number): ConsumerError {
  if (cause instanceof ConsumerError) return cause;
  const firstSequence = cause instanceof WebhooksError && cause.code === "gone" ? cause.firstSequence : undefined;
  if (firstSequence === undefined)
    return new ConsumerError("feed_failed", `The feed could not be read: ${messageOf(cause)}`, { cause });
  const message = `The notifications from ${position + 1} to ${firstSequence - 1} are no longer kept. Skip them to go on.`;
  return new ConsumerError("gone", message, { cause, sequence: position + 1, firstSequence });
}
