/** Which errors of a query mean that the database itself is unavailable. */
import { isTlsCode } from "../base/errors.ts";

// Codes of the network and of PostgreSQL: connection (08), access denied (28), no such database, conflict (40), out of connections,
// memory or disk (53), a lock or statement that took too long, shutting down (57P), a standby (25006).
const network = /^(E(CONN(REFUSED|RESET|ABORTED)|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH))$/;
const sqlState = /^(08...|28...|3D000|40001|40P01|53...|55P03|57014|57P..|25006)$/;
// Messages of pg that have no code.
const said =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|There was an error establishing an SSL connection)/;
const noTls = "The server does not support SSL connections";

/** Whether a retry is useless: access is denied (28), the database does not exist, or TLS fails. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && (/^(28...|3D000)$/.test(codeOf(error)) || isTlsFailure(error));
}

/** Whether the database refused a write: it is a standby, or was made read-only. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === "25006";
}

/** Whether a table or a column is missing, since the database is of another version. */
export function isOfOtherVersion(error: unknown): boolean {
  return error instanceof Error && /^42(P01|703)$/.test(codeOf(error));
}

/** Whether the database's user lacks the right to what a query needs. */
export function isDenied(error: unknown): error is Error {
  return error instanceof Error && codeOf(error) === "42501";
}

/** Whether TLS with the database failed: a certificate or key on either side, or a server without TLS. */
export function isTlsFailure(error: Error): boolean {
  return isTlsCode(codeOf(error)) || error.message === noTls;
}

/** Whether the database, or our patience with it, ended a statement or a transaction because it took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && (/^(57014|25P03)$/.test(codeOf(error)) || error.message === "Query read timeout");
}

/** Whether a query only failed because its transaction had failed before. */
export function isAfterFailure(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === "25P02";
}

/**
 * Whether the server may lack a statement that pg takes to be prepared, since it could not be bound before and pg closed it: the server says
 * so (26000), or what failed before is not known.
 */
export function isUnexplained(error: unknown): error is Error {
  return error instanceof Error && (codeOf(error) === "26000" || isAfterFailure(error));
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Whether the database is unavailable now, so that the same query may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return network.test(code) || sqlState.test(code) || said.test(error.message) || isTlsFailure(error);
}
