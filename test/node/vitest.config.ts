/**
 * What depends on the version of Node, for a second one: `npm run test:more node`. Searches for the costliest request and for memory are made
 * on one version alone.
 */
import { defineConfig } from "vitest/config";
import { alone, ofProject, resolve } from "../../vitest.config.ts";
import { SecondAttempts } from "../support/second-attempts.ts";
import { ofNode, ofPackage, patternsOf } from "./files.ts";

export default defineConfig({
  resolve,
  test: {
    maxWorkers: 4,
    globalSetup: ["test/support/global-setup.ts"],
    reporters: ["default", new SecondAttempts()],
    projects: [
      { resolve, test: { ...ofProject, name: "node", include: patternsOf(ofNode), exclude: alone } },
      { resolve, test: { ...ofProject, name: "alone", isolate: true, include: alone } },
      {
        resolve,
        test: {
          ...ofProject,
          name: "package",
          include: patternsOf(ofPackage),
          globalSetup: ["test/support/package-setup.ts"],
        },
      },
    ],
  },
});
