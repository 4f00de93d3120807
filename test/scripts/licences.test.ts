/** What users get along with the package asks for nothing, and runs nothing when it is installed. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { assertAcceptable, installedAlong } from "../../scripts/maintain/supply-chain/installed-along.ts";

test("installed dependencies have permissive licences and no install scripts", async () => {
  const installed = await installedAlong();
  for (const workspace of ["client", "scripts", "server"]) {
    const manifest = await readFile(new URL(`../../${workspace}/package.json`, import.meta.url), "utf8");
    const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
    expect(installed.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  }
  expect(installed.map(({ name }) => name)).not.toContain("vitest");
  expect(installed.filter(({ licence }) => licence === "none")).toEqual([]);
  assertAcceptable(installed);
});

test("a stricter licence and an install script are reported", () => {
  const one = { name: "one", version: "1.0.0", licence: "GPL-3.0-only", hasInstallScript: false, requires: [] };
  const other = { name: "other", version: "2.0.0", licence: "MIT", hasInstallScript: true, requires: [] };
  expect(() => assertAcceptable([one, other])).toThrow(
    "one 1.0.0 is under the licence GPL-3.0-only.\nother 2.0.0 runs a script when it is installed.",
  );
});
