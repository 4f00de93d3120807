/** The example of a test against the mock: its tests are run here, and the guide shows it as it is. */
import "../../examples/mocked.test.ts";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readDocument } from "../support/document.ts";

test("the guide shows the example", () => {
  const example = readFileSync(new URL("../../examples/mocked.test.ts", import.meta.url), "utf8");
  expect(readDocument("docs/mock.md").fences("ts")).toContain(`// mocked.test.ts\n${example}`);
});
