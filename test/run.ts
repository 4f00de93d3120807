/**
 * `npm run test:more NAME`: tests that need more than Node and npm, or minutes. Each has a folder of test/ with a configuration of its own; what
 * follows the name goes to Vitest, or to the folder's own `run.ts`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
// The soak has a command of its own, with a report.
const names = readdirSync(here).filter((name) => existsSync(`${here}${name}/vitest.config.ts`) && name !== "soak");
const [name, ...others] = process.argv.slice(2);

if (name === undefined || !names.includes(name)) {
  console.error(`Usage: npm run test:more NAME [-- OPTIONS]\n\nNAME is one of ${names.join(", ")}.`);
  process.exitCode = 2;
} else {
  const own = `test/${name}/run.ts`;
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", `test/${name}/vitest.config.ts`];
  const program = existsSync(new URL(`../${own}`, import.meta.url)) ? ["--import", "tsx", own] : vitest;
  const child = spawn(process.execPath, [...program, ...others], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  process.exitCode = code ?? 1;
}
