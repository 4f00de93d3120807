/** The contract's sentences with the periods in them: what the generator refuses, so that a served document can be changed safely. */
import { expect, test } from "vitest";
import { withDefaultPeriods, withPeriods } from "../../server/period-texts.ts";
import { defaultPeriods } from "../../server/periods.ts";

test("a period that is written out, and an unknown mark, are refused", () => {
  expect(() => withDefaultPeriods("It is kept for 30 days.")).toThrow('"30 days" must be written as its mark.');
  expect(() => withDefaultPeriods("It is kept for {{retentoin}}.")).toThrow(
    /^\{\{retentoin\}\} must be one of .*\{\{retention\}\}/,
  );
  expect(withDefaultPeriods("In 130 days, 0.5 days, 10 secondsday")).toBe("In 130 days, 0.5 days, 10 secondsday");
});

test("a period is found wherever its mark was, also at the start of a line", () => {
  const periods = { ...defaultPeriods, retentionDays: 365, retryPausesMs: [5_000] };
  const published = withDefaultPeriods(JSON.stringify("for\n{{retention}}\n{{retrySchedule}}; {{inactiveAfter}}"));
  expect(JSON.parse(published)).toBe(
    "for\n30 days\n10 s, 1 min, 5 min, 10 min, 30 min, 2 h, 6 h, 12 h and 24 h; 5 days",
  );
  expect(JSON.parse(withPeriods(published, periods))).toBe("for\n365 days\n5 s; 5 days");
});
