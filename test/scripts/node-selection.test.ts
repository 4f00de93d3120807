/** What `npm run test:more node` picks. Vitest ignores a path that no test file has, so a file that moves would silently be left out. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { ofNode, ofPackage } from "../node/files.ts";

test("each path that test:more node picks is one of a test file", () => {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.ts"));
  const paths = [...ofNode, ...ofPackage];
  expect(paths.filter((path) => !files.some((file) => `test/${file}`.startsWith(path)))).toEqual([]);
});
