/**
 * Each server in broken/ is the example server with one thing broken: conformance must name that, and nothing else. A whole run takes
 * seconds, so faults of different rules that do not hide one another are put into one server. One that is in no group has its own run.
 */
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf } from "../../scripts/command/conformance/report/table.ts";
import { type ActiveWorld, startActiveWorld } from "./active-world.ts";
import { type Breakage, breakServer } from "./breakage.ts";
import { testCorrectServers } from "./correct-servers.ts";
import { examineExample, otherKey, startExample } from "./example.ts";

const together = [
  "addresses-as-given error-reason callback-field-missing idempotency-conflict page-size-ignored token-loses-filter others-listed others-secret-rotated",
  "callback-header-missing empty-body-taken id-case-matters media-type-ignored update-forgets extra-field checksum-ignored created-at-seconds",
  "callback-millisecond-timestamp connection-dropped deleted-still-answered fault-not-named no-location status-filter-ignored default-page-size",
  "deleted-still-answers method-not-found size-unlimited block-timestamp-milliseconds duplicates-counted url-resets-boolean oldest-first others-are-forbidden",
  "operational-keeps-headers empty-update-renames not-found-without-key page-repeats wrong-status charset-latin status-since-kept",
  "error-shape pages-cut-off redirect-followed test-lies missing-field default-page-size-addresses others-secret-shown",
  "operational-format-dropped operational-other-id html-error pagination-loop rotation-forgets unknown-key scopes-ignored update-resets-another text-in-ascii",
  "addresses-stale-record operational-not-deleted idempotency-ignored null-accepted signed-other-bytes secret-in-list created-at-constant failure-without-class",
  "test-under-another-id unknown-field unsigned wrong-type idempotency-shared batch-of-one-bare",
  "duration-in-seconds feed-webhook-given-url name-tidied conditions-ignored abi-without-signatures hundred-kilobytes own-headers-not-sent digests-of-text digest-not-compared",
  "operational-rotation-forgets finality-forgotten finality-unlisted watches-nothing url-unchecked transfer-left-out glacier-unsorted header-values-shown prefix-ignored",
  "option-dropped lists-without-addresses history-mode-unchecked long-description-refused body-before-key preview-needs-write deflate-refused charset-capitals-refused",
  "operational-unsigned parts-applied spaces-unlimited accept-narrow long-url-judged lanes-disordered call-frames-forgotten confirmations-forgotten query-forgotten test-twice gone-by-test glacier-own-secret",
  // These need the service itself, on a chain where something happens.
  "delivered-is-a-lie effective-from-zero input-abbreviated logs-left-out decoded-left-out resend-without-attempt sequence-constant",
  "attempts-forgotten notifications-unfiltered after-sequence-inclusive replay-counts-nothing created-contract-left-out replay-not-cancelled replay-progress-after-end replay-earlier-always history-of-the-future added-past-ignored feed-after-inclusive feed-never-waits feed-stream-without-ids",
  "explains-what-is-not-held previews-everything explains-all-as-notified explanation-forgets preview-of-latest preview-without-logs history-ignored feed-only-attempted rate-ignored feed-never-streams",
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

let world: ActiveWorld;
beforeAll(async () => {
  world = await startActiveWorld();
});
afterAll(() => world.stop());

describe.concurrent("conformance refuses a server that", () => {
  for (const { title, faults } of groups)
    test(title, async ({ expect, onTestFinished }) => {
      const onChain = faults.some(({ needs }) => needs === "chain");
      const correct = onChain ? world : await startExample();
      if (!onChain) onTestFinished(correct.close);
      const server = await breakServer(correct.url, onChain ? world.options.apiKey : "both", faults);
      onTestFinished(server.close);
      const twoAccounts = faults.some(({ needs }) => needs === "accounts") ? { otherKey } : {};
      const { findings, left } = await examineExample(server.url, onChain ? world.options : twoAccounts);
      const named = [...new Set(findings.map(({ rule }) => rule))].sort();
      expect(named, findings.flatMap(failureOf).join("\n")).toEqual(faults.flatMap(({ rules }) => rules).sort());
      expect(left).toEqual([]);
    });
});

describe.concurrent("conformance passes a server that", () => testCorrectServers(() => world));

test("each fault is in one group, and no rule twice in a group", () => {
  expect(groups.flatMap(({ group }) => group).sort()).toEqual([...names].sort());
  for (const { group, faults } of groups) {
    const rules = faults.flatMap((fault) => fault.rules);
    expect(rules.length, String(group)).toBe(new Set(rules).size);
  }
});

test("at least sixty are kept", () => {
  expect(names.length).toBeGreaterThanOrEqual(60);
});
