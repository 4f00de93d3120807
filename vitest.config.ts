/**
 * Three kinds of tests: of what is in the repository, those of them that need a process of their own, and of the package made from
 * it, which is built, packed and installed while the others run, and only when one of its tests is asked for.
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

const resolve = { tsconfigPaths: true };
/** What a file before them in their process would spoil: they count the threads that they start. */
const alone = ["test/chain/**/reader.test.ts"];
const ofPackage = ["test/package/**/*.test.ts"];

/** What all configurations of tests have in common. */
export const shared = {
  pool: "forks" as const,
  // Files share processes. Starting one for each file, and loading the modules again, took a quarter of the processor time of test/api/.
  isolate: false,
  setupFiles: [fileURLToPath(new URL("test/support/leave-nothing-stubbed.ts", import.meta.url))],
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  resolve,
  test: {
    // Tests spend half of their time waiting: for a lease to expire, a block, a process.
    maxWorkers: 4,
    globalSetup: ["test/support/global-setup.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve,
        test: { ...shared, name: "sources", include: ["test/**/*.test.ts"], exclude: [...alone, ...ofPackage] },
      },
      { resolve, test: { ...shared, name: "alone", isolate: true, include: alone } },
      {
        resolve,
        test: { ...shared, name: "package", include: ofPackage, globalSetup: ["test/support/package-setup.ts"] },
      },
    ],
  },
});
