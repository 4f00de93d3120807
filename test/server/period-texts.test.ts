/** The contract's sentences with the periods in them, in which a served document has those of its service. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultPeriods, withPeriods } from "../../server/settings/periods.ts";

const source = readFileSync(new URL("../../openapi/openapi.yaml", import.meta.url), "utf8");
const other = { timeoutMs: 1, retryPausesMs: [3_000], inactiveAfterDays: 4, retentionDays: 6 };

test("the contract states a default period only where it means the setting", () => {
  const lines = source.split("\n");
  const stated = withPeriods(source, other)
    .split("\n")
    .filter((line, index) => line !== lines[index]);
  // Another text with one of these periods would change with the setting. It has another unit, as 720 hours.
  expect(stated.map((line) => line.trim())).toEqual([
    expect.stringContaining("Any 2xx answer within 0.001 seconds accepts it"),
    expect.stringContaining("the service retries after 3 s, each ±10 %"),
    expect.stringContaining("A 410, or 4 days in which every attempt failed"),
    expect.stringContaining("for at most 6 days"),
    expect.stringContaining("The notifications of the last 6 days"),
    expect.stringContaining("Notifications are kept for 6 days"),
    expect.stringContaining("It is kept for 6 days after its end"),
    expect.stringContaining("when every attempt for 4 days failed"),
    expect.stringContaining("0.001 seconds, or that an answer"),
  ]);
});

test("a period is found at the start of a line, too, and not within another", () => {
  const periods = { ...defaultPeriods, retentionDays: 365, retryPausesMs: [5_000] };
  const published = "for\n30 days\n10 s, 1 min, 5 min, 10 min, 30 min, 2 h, 6 h, 12 h and 24 h; 5 days";
  expect(JSON.parse(withPeriods(JSON.stringify(published), periods))).toBe("for\n365 days\n5 s; 5 days");
  const none = "In 130 days, 0.5 days, 10 secondsday";
  expect(withPeriods(none, other)).toBe(none);
});
