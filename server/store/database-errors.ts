/** Which errors of a query mean that the database itself is unavailable. */
import { isTlsCode } from "../tls-errors.ts";

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
