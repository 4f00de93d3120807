/** The service's periods: how long it waits for endpoints, when it retries, and how long it keeps what it sent. */
import { invalid } from "./setting-parsers.ts";
import { type Environment, settings } from "./settings.ts";

export const dayMs = 24 * 60 * 60 * 1_000;

/** The periods of the service as a whole. Give every process the same ones. */
export type Periods = {
  /** For one whole exchange with an endpoint, in ms. */
  timeoutMs: number;
  /** The pauses before the second attempt and each one after it, in ms. */
  retryPausesMs: readonly number[];
  /** How long every attempt must have failed before a webhook becomes inactive, in days. */
  inactiveAfterDays: number;
  /** How long notifications and their attempts are kept, in days. */
  retentionDays: number;
};

/**
 * @throws {ServiceError} `config_invalid`, also when retention could end before the last retry, which would then be deleted unsent
 */
export function readPeriods(env: Environment): Periods {
  const retryPausesMs = settings.retrySchedule.read(env);
  const retentionDays = settings.retentionDays.read(env);
  // `Retry-After` can double each pause.
  const longestMs = 2 * retryPausesMs.reduce((sum, pause) => sum + pause, 0);
  if (longestMs > retentionDays * dayMs)
    throw invalid(
      `RETRY_SCHEDULE must end within RETENTION_DAYS, which is ${retentionDays}. Its pauses, doubled as Retry-After may ask, take ${Math.ceil(longestMs / dayMs)} days.`,
    );
  return {
    timeoutMs: settings.deliveryTimeoutSeconds.read(env) * 1_000,
    retryPausesMs,
    inactiveAfterDays: settings.inactiveAfterDays.read(env),
    retentionDays,
  };
}

/** The periods of a service whose operator set none. */
export const defaultPeriods: Periods = readPeriods({});
