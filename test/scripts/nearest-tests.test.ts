/** `npm run check -- changed` chooses the tests that are nearest to a change. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nearestTests } from "../../scripts/maintain/changed/nearest-tests.ts";

const files = {
  "server/a/low.ts": "",
  "server/a/high.ts": 'export { low } from "./low.ts";',
  "test/a/low.test.ts": 'import { low } from "../../server/a/low.ts";',
  "test/a/data.test.ts": 'const data = new URL("../../server/a/low.ts", import.meta.url);',
  "test/b/high.test.ts": 'import { low } from "../../server/a/high.ts";',
  "test/b/run.long.test.ts": 'import { low } from "../../server/a/low.ts";',
  "test/b/apart.test.ts": "",
  "openapi/source.yaml": "",
  "generated/made.ts": "",
  "docs/guide.md": "",
  "test/a/made.test.ts": 'import { made } from "../../generated/made.ts";',
  "test/b/source.test.ts": 'const source = new URL("../../openapi/source.yaml", import.meta.url);',
  "test/docs/guides.test.ts": "",
};
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "chain-webhooks-nearest-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

const nearest = (changed: string[], most = 8) => nearestTests(root, Object.keys(files), changed, most);

test("those that import a changed file come first, the one of its name before the others, and the long ones are left out", async () => {
  const tests = ["test/a/low.test.ts", "test/a/data.test.ts", "test/b/high.test.ts"];
  expect(await nearest(["server/a/low.ts"])).toEqual({ tests, further: 1 });
  expect(await nearest(["server/a/low.ts"], 1)).toEqual({ tests: tests.slice(0, 1), further: 3 });
});

test("a test that changed is run, also a long one, and a deleted one is not", async () => {
  const changed = ["test/b/run.long.test.ts", "test/b/apart.test.ts", "test/b/deleted.test.ts"];
  expect(await nearest(changed)).toEqual({ tests: changed.slice(0, 2), further: 0 });
});

test("those that read a source come before those that import what is generated from it", async () => {
  const tests = ["test/b/source.test.ts", "test/a/made.test.ts"];
  expect(await nearest(["generated/made.ts", "openapi/source.yaml"])).toEqual({ tests, further: 0 });
});

test("a guide is read by the test of guides", async () => {
  expect(await nearest(["docs/guide.md"])).toEqual({ tests: ["test/docs/guides.test.ts"], further: 0 });
});
