/**
 * The periods as the contract's sentences have them. `openapi.yaml` and the published documents have the defaults, and an API with other
 * settings serves documents with its own.
 */
import { defaultPeriods, type Periods } from "./periods.ts";

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
