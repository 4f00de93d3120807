/**
 * Each server in broken/ is the example server with one thing broken: conformance must name that, and nothing else. A whole run takes
 * seconds, so faults of different rules that do not hide one another are put into one server. One that is in no group has its own run.
 */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { failureOf } from "../../scripts/command/conformance/report/table.ts";
import { type Breakage, breakServer } from "./breakage.ts";
import { examineExample, startExample } from "./example.ts";

const together = [
  "addresses-as-given error-reason callback-field-missing idempotency-conflict page-size-ignored",
  "callback-header-missing empty-body-taken id-case-matters media-type-ignored update-forgets extra-field checksum-ignored",
  "callback-millisecond-timestamp connection-dropped deleted-still-answered fault-not-named no-location status-filter-ignored",
  "deleted-still-answers method-not-found size-unlimited",
  "empty-update-renames not-found-without-key page-repeats wrong-status",
  "error-shape pages-cut-off redirect-followed test-lies missing-field",
  "html-error pagination-loop rotation-forgets unknown-key scopes-ignored",
  "addresses-stale-record idempotency-ignored null-accepted signed-other-bytes secret-in-list",
  "test-under-another-id unknown-field unsigned wrong-type",
].map((names) => names.split(" "));

const folder = new URL("broken/", import.meta.url);
const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, ""));
const breakages = new Map<string, Breakage>();
for (const name of names)
  breakages.set(name, ((await import(new URL(`${name}.ts`, folder).href)) as { broken: Breakage }).broken);
const alone = names.filter((name) => !together.flat().includes(name)).map((name) => [name]);
const groups = [...together, ...alone].map((group) => {
  const faults = group.map((name) => breakages.get(name) ?? expect.fail(`There is no broken/${name}.ts.`));
  return { group, faults, title: faults.map(({ says }, index) => `${says} (${group[index]})`).join("; ") };
});

describe.concurrent("conformance refuses a server that", () => {
  for (const { title, faults } of groups)
    test(title, async ({ expect, onTestFinished }) => {
      const example = await startExample();
      onTestFinished(example.close);
      const server = await breakServer(example.url, "both", faults);
      onTestFinished(server.close);
      const { findings, left } = await examineExample(server.url);
      const named = [...new Set(findings.map(({ rule }) => rule))].sort();
      expect(named, findings.flatMap(failureOf).join("\n")).toEqual(faults.flatMap(({ rules }) => rules).sort());
      expect(left).toEqual([]);
    });
});

test("each fault is in one group, and no rule twice in a group", () => {
  expect(groups.flatMap(({ group }) => group).sort()).toEqual([...names].sort());
  for (const { group, faults } of groups) {
    const rules = faults.flatMap((fault) => fault.rules);
    expect(rules.length, String(group)).toBe(new Set(rules).size);
  }
});

test("at least twelve are kept", () => {
  expect(names.length).toBeGreaterThanOrEqual(12);
});
