/** What `npm run test:node` picks. Vitest ignores a path that no test file has, so a file that moves would silently be left out. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("each path that test:node names is one of a test file", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const paths = scripts["test:node"].split(" ").filter((word: string) => word.startsWith("test/"));
  const files = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.ts"));
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path: string) => !files.some((file) => `test/${file}`.includes(path)))).toEqual([]);
});
