/**
 * Two kinds of tests: of what is in the repository, and of the package made from it, which is built, packed and installed once
 * before them, and only when one of them is run.
 */
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

const resolve = { tsconfigPaths: true };
const how = {
  pool: "forks" as const,
  // Files share a process: to start one and load the modules again took more than the tests of most files.
  isolate: false,
  maxWorkers: 3,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  restoreMocks: true,
  unstubEnvs: true,
};

export default defineConfig({
  resolve,
  test: {
    ...how,
    globalSetup: ["test/support/global-setup.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      { resolve, test: { ...how, name: "sources", include: ["test/**/*.test.ts"], exclude: ["test/package/**"] } },
      {
        resolve,
        test: {
          ...how,
          name: "package",
          include: ["test/package/**/*.test.ts"],
          globalSetup: ["test/support/package-setup.ts"],
        },
      },
    ],
  },
});
