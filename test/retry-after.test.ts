/** The header `Retry-After` of nodes and endpoints. */
import { expect, test } from "vitest";
import { parseRetryAfter } from "../server/base/retry-after.ts";

test.each([
  ["120", 120_000],
  [" 7 ", 7_000],
  ["Sat, 21 Nov 2026 10:00:30 GMT", 30_000],
  ["Sat, 21 Nov 2026 09:00:00 GMT", 0],
  ["soon", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After: %s is %s ms", (value, expected) => {
  expect(parseRetryAfter(value, Date.parse("2026-11-21T10:00:00Z"))).toBe(expected);
});
