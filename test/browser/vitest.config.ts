/** The tests that need a browser: run by themselves, so that `npm test` needs nothing but Node and npm. */
import { defineConfig } from "vitest/config";
import base from "../../vitest.config.ts";

// Chromium takes its time beside other work on two cores.
const own = { include: ["test/browser/**/*.browser.ts"], testTimeout: 90_000 };

export default defineConfig({ test: { ...base.test, ...own } });
