/** The programs in README.md and the guides. Compiling them takes 8 s of processor. */
import { expect, test } from "vitest";
import { complaints } from "../support/compile.ts";
import { readGuides } from "../support/document.ts";

test("each program compiles by the project's own rules", () => {
  const programs = readGuides().blocks.filter(({ language }) => language === "ts");
  expect(programs.length).toBeGreaterThan(8);
  const named = programs.map(({ text, document }, index) => [`${index}-${document.replace("/", "-")}`, text] as const);
  expect(complaints(new Map(named))).toEqual([]);
});
