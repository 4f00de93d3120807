/** What the client is told when the store refuses, or cannot be reached. */

import { type ErrorStatus, HttpError, unavailable } from "../contract/errors.ts";
import { isDatabaseAway, StoreError, type StoreErrorCode } from "../store/errors.ts";
import { UnreadableSecretError } from "../store/webhooks/keyring.ts";

const statuses: Record<StoreErrorCode, ErrorStatus> = {
  webhook_not_found: 404,
  notification_not_found: 404,
  replay_not_found: 404,
  replay_out_of_range: 400,
  too_many_replays: 409,
  too_many_addresses: 400,
  idempotency_key_reused: 409,
  idempotent_webhook_deleted: 409,
  chain_not_followed: 502,
  too_many_lanes: 502,
  api_key_not_found: 404,
  account_not_found: 404,
  over_quota: 403,
};

/** The error for the client; undefined for what is none of the store's. */
export function storeErrorAsHttp(error: unknown): HttpError | undefined {
  if (error instanceof StoreError) return new HttpError(statuses[error.code], error.message);
  if (error instanceof UnreadableSecretError) return unavailable("The signing secret cannot be decrypted", error);
  return isDatabaseAway(error) ? unavailable("The database cannot be reached", error) : undefined;
}
