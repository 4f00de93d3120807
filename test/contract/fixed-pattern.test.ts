/** Patterns that are matched by a table, held against regular expressions. */
import { expect, test } from "vitest";
import { fixedPattern } from "../../server/contract/body/check.ts";
import { seeded } from "../support/seeded.ts";

const sources = [
  "^0x[0-9a-fA-F]{40}$",
  "^0x[0-9a-f]{4}$",
  "^[A-Z0-9_]{3}$",
  "^a[-x]{2}$",
  "^[^a]{2}$",
  "^[0-9]+$",
  "^a[b]{2,3}$",
];
const characters = [..."09afgAFGxX-_ \n\0é中\u2028"];

test.each(sources)("%s matches what the regular expression does", (source) => {
  const [pattern, expression] = [fixedPattern(source), new RegExp(source)];
  const dice = seeded(1);
  const any = () => characters[dice(characters.length)] ?? "";
  const good = ["0x", "a", ""].flatMap((start) =>
    [2, 3, 4, 40].map((count) => start + "0b-xA_"[dice(6)]?.repeat(count)),
  );
  for (let n = 0; n < 3_000; n += 1) {
    const text = good[dice(good.length)] ?? "";
    const at = dice(text.length + 1);
    const changed = dice(3) === 0 ? text : text.slice(0, at) + any() + text.slice(at + dice(3));
    expect(pattern.test(changed), JSON.stringify(changed)).toBe(expression.test(changed));
  }
  expect(String(pattern)).toContain(source);
});
