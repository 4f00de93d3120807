/** The tests that need a browser: run by themselves, so that `npm test` needs nothing but Node and npm. */
import { defineConfig } from "vitest/config";
import base from "../../vitest.config.ts";

export default defineConfig({ test: { ...base.test, include: ["test/browser/**/*.browser.ts"] } });
