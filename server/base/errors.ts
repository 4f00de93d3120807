/** The service's errors: one family, distinguished by `code`. One table defines what each code means for the API, commands and logs. */

type Meaning = {
  /** The API's status. Without one, a client gets a 500. */
  status?: 400 | 403 | 404 | 409 | 502 | 503;
  /** The exit code of a command; 1 by default. */
  exitCode?: number;
  /** The log level in a loop that continues; `error` by default. */
  level?: "debug" | "warn";
  /** The message is a whole sentence for the operator, who needs no stack trace. */
  plain?: true;
};

const meanings = {
  // Requests that cannot succeed, because of what they contain or of the current state.
  webhook_not_found: { status: 404, plain: true },
  notification_not_found: { status: 404, plain: true },
  replay_not_found: { status: 404, plain: true },
  replay_out_of_range: { status: 400, plain: true },
  too_many_replays: { status: 409, plain: true },
  too_many_addresses: { status: 400, plain: true },
  any_address: { status: 400, plain: true },
  address_change_not_found: { status: 404, plain: true },
  other_addresses: { status: 409, plain: true },
  idempotency_key_reused: { status: 409, plain: true },
  idempotent_webhook_deleted: { status: 409, plain: true },
  chain_not_followed: { status: 502, plain: true },
  too_many_lanes: { status: 502, plain: true },
  too_many_histories: { status: 409, plain: true },
  api_key_not_found: { status: 404, plain: true },
  account_not_found: { status: 404, plain: true },
  over_quota: { status: 403, plain: true },
  account_elsewhere: { status: 503, plain: true },
  // What an operator must change.
  config_invalid: { plain: true },
  move_refused: { plain: true },
  move_overtaken: { plain: true },
  database_unavailable: { status: 503, plain: true },
  /** The embedded one died, and could not be started again. A supervisor starts the process again. */
  database_lost: { exitCode: 4, plain: true },
  secret_key_missing: { plain: true },
  secret_unreadable: { status: 503 },
  /** 1 would look like a failed check, 2 like a misspelt command. */
  package_missing: { exitCode: 3, plain: true },
  // What the API itself answers: the error has the status.
  request_failed: {},
  // Failures of nodes, and of following a chain. All of them are retried.
  node_failed: { status: 502, level: "warn" },
  node_untrusted: { status: 502, level: "warn" },
  node_unavailable: { status: 502, level: "warn" },
  block_refused: { status: 502, level: "warn" },
  field_missing: { status: 502, level: "warn" },
  chain_stopped: { status: 502, level: "warn" },
  cursor_moved: { level: "debug" },
  other_branch: { level: "warn" },
  traces_missing: { level: "warn" },
  // The failure of an attempt.
  exchange_failed: { level: "debug" },
} as const satisfies Record<string, Meaning>;

/** A failure in one word, which never changes. */
export type ErrorCode = keyof typeof meanings;

/** A failure that the service knows. The message is one sentence; `cause` has the original error. */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Whether an error is ours and, if codes are given, has one of them. */
export function isServiceError(error: unknown, ...codes: ErrorCode[]): error is ServiceError {
  return error instanceof ServiceError && (codes.length === 0 || codes.includes(error.code));
}

/** What an error's code means. */
export function meaningOf({ code }: ServiceError): Meaning {
  return meanings[code];
}

/** The message of an error that an operator can fix without a stack trace; undefined for any other. */
export function plainMessage(error: unknown): string | undefined {
  return isServiceError(error) && meaningOf(error).plain ? error.message : undefined;
}

/** The exit code of a command after an error. */
export function exitCodeOf(error: unknown): number {
  return (isServiceError(error) ? meaningOf(error).exitCode : undefined) ?? 1;
}

/** Recognizes TLS failures by the codes of Node and OpenSSL. */

const codes =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)/;

/** Whether an error's code says that TLS failed: a certificate, a key, or the handshake. */
export function isTlsCode(code: string): boolean {
  return codes.test(code);
}

/** The error for a webhook that does not exist or belongs to another account. */
export function webhookNotFound(id: string): ServiceError {
  return new ServiceError("webhook_not_found", `There is no webhook ${id}.`);
}

/** The error for a notification that does not exist or whose day was dropped. */
export function notificationNotFound(webhookId: string, messageId: string): ServiceError {
  return new ServiceError(
    "notification_not_found",
    `There is no notification ${messageId} of the webhook ${webhookId}.`,
  );
}

/** The error for a replay that does not exist. */
export function replayNotFound(webhookId: string, id: string): ServiceError {
  return new ServiceError("replay_not_found", `There is no replay ${id} of the webhook ${webhookId}.`);
}

/** The error for an account without an operational webhook. */
export const noOperationalWebhook = (): ServiceError =>
  new ServiceError("webhook_not_found", "There is no operational webhook; PUT /v1/operational-webhook registers one.");

/** The error for the commit of a change of addresses that has no parts. */
export const addressChangeNotFound = (changeId: string): ServiceError =>
  new ServiceError(
    "address_change_not_found",
    `The webhook has no change ${changeId} with addresses; send its parts first.`,
  );

/** The error for a change that does not lead to the addresses that were expected. @param digest what theirs would be */
export const otherAddresses = (digest: string): ServiceError =>
  new ServiceError(
    "other_addresses",
    `addressDigest must be ${digest}, which the addresses would have after the change; compare them again.`,
  );

/** The error for an Idempotency-Key that came with another body. */
export const idempotencyKeyReused = (): ServiceError =>
  new ServiceError(
    "idempotency_key_reused",
    "The Idempotency-Key was used with another body within the last 24 hours.",
  );

/** The error for a repeated creation whose webhook is gone: the first answer shows it as active. */
export const idempotentWebhookDeleted = (): ServiceError =>
  new ServiceError(
    "idempotent_webhook_deleted",
    "The webhook created with this Idempotency-Key was deleted; use another key to create one.",
  );
