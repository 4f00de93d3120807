/** The service's periods: how long it waits for endpoints, when it retries, and how long it keeps what it sent. */
import { invalid } from "./parsers.ts";
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

type PeriodTexts = { deliveryTimeout: string; retrySchedule: string; inactiveAfter: string; retention: string };

function textsOf({ timeoutMs, retryPausesMs, inactiveAfterDays, retentionDays }: Periods): PeriodTexts {
  return {
    deliveryTimeout: count(timeoutMs / 1_000, "second"),
    retrySchedule: listed(retryPausesMs.map(shortDuration)),
    inactiveAfter: count(inactiveAfterDays, "day"),
    retention: count(retentionDays, "day"),
  };
}

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? "" : "s"}`;

/** Up to two days in hours, as people say 36 h. */
const units: readonly [string, number, number][] = [
  ["d", 86_400_000, 172_800_000],
  ["h", 3_600_000, 3_600_000],
  ["min", 60_000, 60_000],
  ["s", 1_000, 0],
];

function shortDuration(ms: number): string {
  const [unit, unitMs] = units.find(([, each, from]) => ms >= from && ms % each === 0) ?? ["ms", 1];
  return `${ms / unitMs} ${unit}`;
}

const listed = (items: readonly string[]) =>
  items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

const defaults = textsOf(defaultPeriods);
const names = Object.keys(defaults) as (keyof PeriodTexts)[];

/** The default texts, where they are whole: "5 days" is not in "25 days". */
const defaultText = new RegExp(`(?<!\\d|\\d\\.)(${names.map((name) => defaults[name]).join("|")})(?!\\w)`, "g");

/** @param text of a published document @returns the same with these periods in place of the defaults */
export function withPeriods(text: string, periods: Periods): string {
  const texts = textsOf(periods);
  const byDefault = new Map(names.map((name) => [defaults[name], texts[name]]));
  return text.replace(defaultText, (found) => byDefault.get(found) ?? found);
}

/**
 * The delivery timeout that a text states in the sentence in which the published one states the default.
 *
 * @returns it in ms; undefined where the text has no such sentence
 */
export function statedDeliveryTimeoutMs(published: string, served: string): number | undefined {
  const at = published.indexOf(defaults.deliveryTimeout);
  const [before, after] = [published.slice(0, at), published.slice(at + defaults.deliveryTimeout.length)];
  // Two words on each side are enough to know the sentence by.
  const [left = ""] = /(?:\S+\s+){2}$/.exec(before) ?? [];
  const [right = ""] = /^(?:\s+\S+){2}/.exec(after) ?? [];
  const start = at < 0 ? -1 : served.indexOf(left);
  const [, seconds] = /^(\d+(?:\.\d+)?) seconds?\b/.exec(served.slice(start + left.length)) ?? [];
  const sentence = `${left}${seconds} second${seconds === "1" ? "" : "s"}${right}`;
  return start >= 0 && seconds !== undefined && served.startsWith(sentence, start)
    ? Number(seconds) * 1_000
    : undefined;
}

/** Whether the published documents hold as they are. */
export function areDefaultPeriods(periods: Periods): boolean {
  const texts = textsOf(periods);
  return names.every((name) => texts[name] === defaults[name]);
}
