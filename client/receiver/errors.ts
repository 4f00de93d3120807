/** Why a notification was refused. None of the messages repeats a secret, a signature or the body. */

/**
 * What is wrong with a notification, for code to branch on. `invalid_secret` is the receiver's own mistake; everything
 * else came with the request.
 */
export type NotificationErrorCode =
  | "missing_header"
  | "invalid_timestamp"
  | "timestamp_too_old"
  | "timestamp_too_new"
  | "invalid_sequence"
  | "invalid_signature"
  | "invalid_secret"
  | "invalid_body"
  | "message_id_mismatch";

/**
 * A notification that must not be trusted, or a secret that cannot verify one.
 * @example if (error instanceof NotificationError && error.code === "invalid_signature") console.warn(error.message);
 */
export class NotificationError extends Error {
  override readonly name = "NotificationError";
  /** Stable, for code to branch on. */
  readonly code: NotificationErrorCode;

  constructor(code: NotificationErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
