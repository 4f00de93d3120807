/** How the API answers when the store refuses, or cannot be reached. */

import { isServiceError, meaningOf } from "../base/errors.ts";
import { HttpError, unavailable } from "../contract/errors.ts";
import { isDatabaseUnavailable, isReadOnly } from "../store/database-errors.ts";

/** @returns undefined for an error that is none of the store's */
export function storeErrorAsHttp(error: unknown): HttpError | undefined {
  if (isServiceError(error, "secret_unreadable"))
    return unavailable("A secret or header of the webhook cannot be decrypted", error);
  if (isServiceError(error, "account_elsewhere")) return unavailable("The account is moving to another cell", error);
  if (isServiceError(error, "database_unavailable")) return unavailable(error.message, error);
  if (isReadOnly(error)) return unavailable("The database is read-only", error);
  if (isDatabaseUnavailable(error)) return unavailable("The database cannot be reached", error);
  const status = isServiceError(error) ? meaningOf(error).status : undefined;
  return status && new HttpError(status, (error as Error).message);
}
