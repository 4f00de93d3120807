/** Files share a process, so each takes its stubs away at its end. vitest itself restores its spies. */
import { afterAll, vi } from "vitest";

afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
