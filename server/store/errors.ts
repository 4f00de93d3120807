/** What the store refuses, as errors that callers tell apart by `code`; and how to tell that the database itself is away. */
import { isTlsCode } from "../tls-errors.ts";

/** Why the store refuses a request. */
export type StoreErrorCode =
  | "webhook_not_found"
  | "notification_not_found"
  | "replay_not_found"
  | "replay_out_of_range"
  | "too_many_replays"
  | "too_many_addresses"
  | "idempotency_key_reused"
  | "idempotent_webhook_deleted"
  | "chain_not_followed"
  | "too_many_lanes"
  | "api_key_not_found"
  | "account_not_found"
  | "over_quota";

/** A request that the store refuses; nothing was changed. The message is a sentence for the one who asked. */
export class StoreError extends Error {
  override name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The database cannot be opened, and the operator can mend it. The message is a sentence that says how. */
export class DatabaseAwayError extends Error {
  override name = "DatabaseAwayError";
}

// From the network, and from PostgreSQL: connection (08), not let in (28), no such database, rolled back in a conflict (40),
// out of connections, memory or disk (53), a lock or statement that took too long, shutting down (57P), a standby (25006).
const network = /^(E(CONN(REFUSED|RESET|ABORTED)|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH))$/;
const sqlState = /^(08...|28...|3D000|40001|40P01|53...|55P03|57014|57P..|25006)$/;
// What pg says without any code.
const said =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|There was an error establishing an SSL connection)/;
const noTls = "The server does not support SSL connections";

/** Whether waiting does not help: the database lets us not in (28), has no such database, or cannot be trusted by TLS. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && (/^(28...|3D000)$/.test(codeOf(error)) || isTlsFailure(error));
}

/** Whether TLS with the database failed: for a certificate or key, its own or ours, or because it has none. */
export function isTlsFailure(error: Error): boolean {
  return isTlsCode(codeOf(error)) || error.message === noTls;
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Whether an error of a query means that the database cannot serve now, and that the same may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return network.test(code) || sqlState.test(code) || said.test(error.message) || isTlsFailure(error);
}
