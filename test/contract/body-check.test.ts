/** What it costs to refuse a body, and where a broken one is said to be broken. */
import { expect, test } from "vitest";
import { bodyChecks } from "../../server/contract/body/check.ts";
import { syntaxFault } from "../../server/contract/body/json-body.ts";
import { loadContract } from "../../server/contract/contract.ts";

test("a refusal costs the same however many faults there are", async () => {
  const check = bodyChecks(await loadContract()).get("addWebhookAddresses");
  const medianMs = (faults: number): number => {
    const body = { addresses: Array.from({ length: faults }, () => "") };
    const samples = Array.from({ length: 51 }, () => {
      const from = performance.now();
      expect(() => check?.(body)).toThrow();
      return performance.now() - from;
    });
    return samples.sort((a, b) => a - b)[25] ?? 0;
  };
  medianMs(10);
  expect(medianMs(9_999) / medianMs(10)).toBeLessThan(4);
});

test.each([
  ["{'url': 1}", "a name in double quotes or } at line 1, column 2"],
  ['{\n  "a": 1,\n}', "a name in double quotes at line 3, column 1"],
  ['{\n  "a": 1\n  "b": 2\n}', ", or } at line 3, column 3"],
  ['{"a" 1}', ": at line 1, column 6"],
  ["[1, 2,]", "a value at line 1, column 7"],
  ["[1 2]", ", or ] at line 1, column 4"],
  ["[,]", "a value or ] at line 1, column 2"],
  ['{"a": 01}', ", or } at line 1, column 8"],
  ['{"a": True}', "a value at line 1, column 7"],
  ['{"a": "\\x"}', "a valid escape at line 1, column 8"],
  ['{"a": "line\nbreak"}', "an escape, such as \\n, at line 1, column 12"],
  ['{"a": "b', 'a closing " at line 1, column 9, where the body ends'],
  ['{"a": 1', ", or } at line 1, column 8, where the body ends"],
  ["{} {}", "nothing more at line 1, column 4"],
  ["{]", "a name in double quotes or } at line 1, column 2"],
  ["url=https", "a value at line 1, column 1"],
])("%j is broken where %s was expected", (text, where) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(syntaxFault(text)).toBe(`expected ${where}`);
});

test("the place is the first at which no JSON could go on, wherever a character is wrong", () => {
  const whole = JSON.stringify({ a: [1, -2.5e3, { "b\n": null }, []], c: "\u00e9\\", d: { e: true } }, null, 1);
  for (let index = 0; index < whole.length; index += 1)
    for (const wrong of ["", "\u0001", ",", "]", "x", '"']) {
      const text = whole.slice(0, index) + wrong + whole.slice(index + 1);
      const place = / at line (\d+), column (\d+)/.exec(isJson(text) ? "" : syntaxFault(text));
      if (!place) continue;
      const [line, column] = [Number(place[1]), Number(place[2])];
      const at =
        text
          .split("\n")
          .slice(0, line - 1)
          .join("\n").length +
        (line > 1 ? 1 : 0) +
        column -
        1;
      // Nothing before the word or escape with the wrong character is at fault.
      expect([text, at, at >= index || /^[\w\\.+-]*$/.test(text.slice(at, index))]).toEqual([text, at, true]);
      expect(at).toBeLessThanOrEqual(text.length);
    }
});

test.each([
  ["one text", `{"a": "${"x".repeat(1_000_000)}`],
  ["escapes", `{"a": "${"\\n".repeat(500_000)}`],
  ["spaces", `{${" ".repeat(1_000_000)}`],
  ["lines", `{${"\n".repeat(1_000_000)}`],
  ["digits", `[${"1".repeat(1_000_000)}`],
])("a mebibyte of %s costs no more than reading it", (_, text) => {
  const before = process.cpuUsage();
  expect(syntaxFault(text)).toMatch(/^expected .* where the body ends$/);
  const { user } = process.cpuUsage(before);
  expect(user / 1_000).toBeLessThan(1_000);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
