/** The service's errors: one family, distinguished by `code`. One table says what each code means outside the code that throws it. */

type Meaning = {
  /** How the API answers. Without one, a client sees a 500. */
  status?: 400 | 403 | 404 | 409 | 502 | 503;
  /** How a command ends; 1 unless given. */
  exitCode?: number;
  /** How a loop that keeps going logs it; `error` unless given. */
  level?: "debug" | "warn";
  /** The message is a whole sentence for the operator, who needs no stack trace. */
  plain?: true;
};

const meanings = {
  // What a request asks for, or the state that it meets.
  webhook_not_found: { status: 404, plain: true },
  notification_not_found: { status: 404, plain: true },
  replay_not_found: { status: 404, plain: true },
  replay_out_of_range: { status: 400, plain: true },
  too_many_replays: { status: 409, plain: true },
  too_many_addresses: { status: 400, plain: true },
  idempotency_key_reused: { status: 409, plain: true },
  idempotent_webhook_deleted: { status: 409, plain: true },
  chain_not_followed: { status: 502, plain: true },
  too_many_lanes: { status: 502, plain: true },
  api_key_not_found: { status: 404, plain: true },
  account_not_found: { status: 404, plain: true },
  over_quota: { status: 403, plain: true },
  // What an operator must change.
  config_invalid: { plain: true },
  database_unavailable: { status: 503, plain: true },
  secret_key_missing: { plain: true },
  secret_unreadable: { status: 503 },
  /** 1 would read as a failed check, 2 as a misspelt command. */
  package_missing: { exitCode: 3, plain: true },
  // What the API answers by itself: the error has the status.
  request_failed: {},
  // What nodes did, or what following a chain met. All of it is retried.
  node_failed: { status: 502, level: "warn" },
  node_untrusted: { status: 502, level: "warn" },
  node_unavailable: { status: 502, level: "warn" },
  block_refused: { status: 502, level: "warn" },
  field_missing: { status: 502, level: "warn" },
  chain_stopped: { status: 502, level: "warn" },
  cursor_moved: { level: "debug" },
  other_branch: { level: "warn" },
  traces_missing: { level: "warn" },
  // How an attempt at an endpoint ended.
  exchange_failed: { level: "debug" },
} as const satisfies Record<string, Meaning>;

/** What went wrong, in a word that never changes. */
export type ErrorCode = keyof typeof meanings;

/** A failure that the service knows. The message is one sentence; `cause` keeps what it came from. */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Whether an error is ours, and has one of these codes where any are given. */
export function isServiceError(error: unknown, ...codes: ErrorCode[]): error is ServiceError {
  return error instanceof ServiceError && (codes.length === 0 || codes.includes(error.code));
}

/** What an error's code means. */
export function meaningOf({ code }: ServiceError): Meaning {
  return meanings[code];
}

/** The message of an error that an operator can act on without a stack trace; undefined for any other. */
export function plainMessage(error: unknown): string | undefined {
  return isServiceError(error) && meaningOf(error).plain ? error.message : undefined;
}

/** How a command ends after an error. */
export function exitCodeOf(error: unknown): number {
  return (isServiceError(error) ? meaningOf(error).exitCode : undefined) ?? 1;
}
