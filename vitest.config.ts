/**
 * `npm test` runs the project `sources`. `npm run test:all` also runs `long`, whose tests start programs, explore many states, measure memory
 * or take long; `alone`, whose tests need a process of their own; and `package`. Only for the latter is the package built, packed and
 * installed, while other tests run. `npx vitest run FILE` finds a file in whichever it is.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { patienceMs } from "./test/support/patience.ts";
import { SecondAttempts } from "./test/support/second-attempts.ts";
import { WaitingFirst } from "./test/support/waiting-first.ts";

export const resolve = { tsconfigPaths: true };
/** What a file before them in their process would spoil: they count the threads that they start, or the connections. */
export const alone = ["test/chain/**/reader.test.ts", "test/targets/hostile.test.ts"];
const ofPackage = ["test/package/**/*.test.ts"];
const long = ["test/**/*.long.test.ts"];
/** Those that import `runs.ts`, which make little of a search in `sources`, and the whole of it in `long`. */
const searches = readdirSync(fileURLToPath(new URL("test", import.meta.url)), { recursive: true, encoding: "utf8" })
  .map((path) => `test/${path}`)
  .filter(
    (path) => path.endsWith(".test.ts") && readFileSync(new URL(path, import.meta.url)).includes("support/runs.ts"),
  );

/** What all configurations of tests have in common. */
export const shared = {
  pool: "forks" as const,
  // Files share processes. Starting one for each file, and loading the modules again, took a quarter of the processor time of test/api/.
  isolate: false,
  setupFiles: [fileURLToPath(new URL("test/support/leave-nothing-stubbed.ts", import.meta.url))],
  runner: fileURLToPath(new URL("test/support/first-fault.ts", import.meta.url)),
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: patienceMs } },
};

export const ofProject = { ...shared, retry: process.env.CI ? 1 : 0 };

export default defineConfig({
  resolve,
  test: {
    // Tests spend half of their time waiting: for a lease to expire, a block, a process. Each further process loads all modules again.
    maxWorkers: 3,
    globalSetup: ["test/support/global-setup.ts"],
    reporters: ["default", new SecondAttempts()],
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        resolve,
        test: {
          ...ofProject,
          name: "sources",
          // Most of what tests make is garbage soon. By default, 16 MB, collecting it takes 5 % of the processor time more.
          execArgv: ["--max-semi-space-size=64"],
          setupFiles: [...shared.setupFiles, fileURLToPath(new URL("test/support/same-searches.ts", import.meta.url))],
          include: ["test/**/*.test.ts"],
          exclude: [...alone, ...ofPackage, ...long],
        },
      },
      { resolve, test: { ...ofProject, name: "long", include: [...long, ...searches], env: { TEST_WHOLE: "1" } } },
      { resolve, test: { ...ofProject, name: "alone", isolate: true, include: alone } },
      {
        resolve,
        test: { ...ofProject, name: "package", include: ofPackage, globalSetup: ["test/support/package-setup.ts"] },
      },
    ],
  },
});
