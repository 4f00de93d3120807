/** Known edits of a document with unions, styles, links and the like: how grave each is, whom it breaks, and why. */
import { expect, test } from "vitest";
import { compareContracts } from "../../scripts/command/diff/contract.ts";
import type { DiffFinding } from "../../scripts/command/diff/finding.ts";
import type { JsonObject } from "../../scripts/document/json.ts";
import { type ShopEdit, shop } from "./edits/shop.ts";
import { shopEdits } from "./edits/shop-edits.ts";

const today = "2026-03-15";

function edited(edit: ShopEdit[4]): JsonObject {
  const document = shop();
  edit(document);
  return document;
}

/** What the gravest findings say. */
function verdict(findings: readonly DiffFinding[]) {
  const [gravest] = findings;
  const equal = findings.filter(({ level, bump }) => level === gravest?.level && bump === gravest.bump);
  const breaks = [...new Set(equal.flatMap((finding) => finding.breaks))].toSorted();
  return { level: gravest?.level ?? "none", breaks, why: gravest?.why ?? "" };
}

test.each(shopEdits)("%s: %s", (_, level, breaks, why, edit) => {
  const findings = compareContracts(shop(), edited(edit), today);
  expect(verdict(findings), JSON.stringify(findings, null, 1)).toEqual({ level, breaks: [...breaks].toSorted(), why });
});

test("half of the edits break somebody", () => {
  expect(shopEdits.length).toBeGreaterThan(150);
  expect(shopEdits.filter(([, level]) => level === "breaking").length).toBeGreaterThan(shopEdits.length / 2 - 1);
});
