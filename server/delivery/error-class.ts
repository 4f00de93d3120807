/** Classifies the errors of exchanges, by the contract's enumeration. */
import type { components } from "../../generated/types.ts";
import { isTlsCode, ServiceError } from "../base/errors.ts";

export type ErrorClass = components["schemas"]["ErrorClass"];

/** An exchange that we ended, or did not begin. A failed lookup wraps it. */
export class ExchangeError extends ServiceError {
  override readonly name = "ExchangeError";
  readonly errorClass: ErrorClass;

  constructor(errorClass: ErrorClass, message: string, options?: { cause?: unknown }) {
    super("exchange_failed", message, options);
    this.errorClass = errorClass;
  }
}

const byCode: readonly [RegExp, ErrorClass][] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME)/, "dns_error"],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN)/, "connection_refused"],
  [/^ETIMEDOUT/, "timeout"],
];

/** @returns the class of an error that ended an exchange; `connection_reset` for an unknown one */
export function errorClassOf(error: unknown): ErrorClass {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ExchangeError) return at.errorClass;
    const code = codeOf(at);
    if (isTlsCode(code)) return "tls_error";
    const known = byCode.find(([pattern]) => pattern.test(code));
    if (known) return known[1];
  }
  return "connection_reset";
}

// Node tries every address of a host and collects their errors. The first says enough.
function codeOf(error: Error): string {
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return codeOf(error.errors[0]);
  return "";
}
