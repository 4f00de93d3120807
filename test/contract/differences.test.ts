/** Where Redocly or oasdiff judges an edit otherwise than we do, there is a reason for that edit, and no reason is left over. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Difference, differences } from "./edits/differences.ts";
import { edits } from "./edits/edited.ts";
import { ratingDifferences } from "./edits/rating-differences.ts";
import { shopEdits } from "./edits/shop-edits.ts";
import { differs, type Others } from "./edits/verdicts.ts";

const others = JSON.parse(readFileSync(new URL("edits/others.json", import.meta.url), "utf8")) as Others;
const named = (reasons: readonly Difference[]) => reasons.flatMap((reason) => reason.edits).toSorted();

test("others.json has the verdicts of Redocly and oasdiff on each edit of the shop, and of no other", () => {
  expect(Object.keys(others).toSorted()).toEqual(shopEdits.map(([name]) => name).toSorted());
});

test("each edit of the shop with another verdict has one reason", () => {
  const differing = shopEdits.filter(([name, level]) => differs(level, others[name])).map(([name]) => name);
  expect(named(differences)).toEqual(differing.toSorted());
});

test("each edit of the contract that Redocly rates otherwise has one reason", () => {
  const differing = edits.filter(({ rating, redocly = rating }) => redocly !== rating).map(({ name }) => name);
  expect(named(ratingDifferences)).toEqual(differing.toSorted());
});

test("every reason is a sentence of its own, with an edit", () => {
  const reasons = [...differences, ...ratingDifferences];
  expect(new Set(reasons.map(({ why }) => why)).size).toBe(reasons.length);
  for (const { why, edits: about } of reasons) {
    expect(why).toMatch(/^[A-Z].{30,}\.$/);
    expect(about.length).toBeGreaterThan(0);
  }
});

test("the guide counts the edits, and those whose verdicts differ, as they are", () => {
  const guide = readFileSync(new URL("../../docs/diff.md", import.meta.url), "utf8").replaceAll(/\s+/g, " ");
  const breaking = shopEdits.filter(([, level]) => level === "breaking").length;
  const [ours, judgements] = [
    differences.filter(({ right }) => right === "ours"),
    differences.filter(({ right }) => right === "judgement"),
  ].map((some) => named(some).length);
  expect(guide).toContain(`test has ${shopEdits.length} edits of one document; ${breaking} of them break somebody.`);
  expect(guide).toContain(
    `differ on ${named(differences).length} of the edits: on ${ours} we hold ours to be right, and ${judgements} are judgements.`,
  );
});
