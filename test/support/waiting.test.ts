/**
 * What a file of tests must not do. A stranger's machine may be busy: no test of `npm test` gives up within seconds, and none is sure only within
 * a short lease. And files share processes, in an order that depends on the machine: none leaves the environment changed for the next.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));
/** Rooms with a configuration of their own, which `npm test` does not run. */
const elsewhere =
  /^(avacloud|bench|browser|cells|codegen|collections|deploy|faults|operations|receivers|schemathesis|soak)\/|^conformance\/(mutations|correct-servers)/;
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !elsewhere.test(path) && !path.endsWith("waiting.test.ts"))
  .map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));

/** Where a pattern is found, as `path: text`. */
const found = (pattern: RegExp) =>
  files.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([match]) => `${path}: ${match}`));

test("a condition is waited for with the patience that all tests share", () => {
  expect(files.length).toBeGreaterThan(300);
  // Those that look for what need not come, or must come soon, have a limit of their own.
  const own = ["support/eventually.ts", "chain/chain-world.ts", "e2e/questions-cost.long.test.ts"];
  const impatient = /vi\.wait(For|Until)\(|\.poll\([^\n]*,\s*\{\s*timeout: [^\n]*/g;
  expect(found(impatient).filter((place) => !own.includes(place.split(":")[0] ?? ""))).toEqual([]);
});

test("a test has no time limit below that of the configuration", () => {
  const named = found(/\btimeout: [\d_]+,? *\}?, *(async )?\(|^ {2}timeout: [\d_]+,$|\b(test|hook)Timeout: [\d_]+/gm);
  const last = found(/^ *\}, [\d_]{4,}\);/gm).filter((place) => place.includes(".test.ts: "));
  const short = [...named, ...last].filter((limit) => {
    const [number = ""] = /[\d_]{4,}/.exec(limit.slice(limit.indexOf(": "))) ?? [];
    return Number(number.replaceAll("_", "")) < 300_000;
  });
  expect(short).toEqual([]);
});

test("tests change the environment by stubs only, which are taken away", () => {
  // Where a process was given another object in place of its environment, later stubs changed the one before, and nothing happened.
  const changed = found(/process\.env(\.\w+|\[[^\]]+\])? (\?\?)?= |Object\.assign\(process\.env|delete process\.env/g);
  expect(changed.filter((place) => place.includes(".test.ts: "))).toEqual([]);
});
