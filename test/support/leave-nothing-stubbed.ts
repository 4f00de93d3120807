/** Files share a process, so each takes its stubs away at its end. vitest itself restores its spies. */
import { afterAll, vi } from "vitest";

// Tests compare what commands print, whatever shell or CI runs them.
delete process.env.FORCE_COLOR;

afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
