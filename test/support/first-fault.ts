/**
 * Shows why a hook failed, and not what follows from it. Where `beforeAll` runs out of time, `afterAll` finds nothing that it could close, and
 * "Cannot read properties of undefined" would be the last thing to read.
 */
import { type RunnerTestSuite, TestRunner } from "vitest";

const followsFromIt = /^Cannot (read properties of|destructure property .* of .* as it is) undefined/;

// biome-ignore lint/style/noDefaultExport: vitest wants it
export default class FirstFault extends TestRunner {
  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    const [first, ...others] = suite.result?.errors ?? [];
    if (first && suite.result)
      suite.result.errors = [first, ...others.filter(({ message }) => !followsFromIt.test(message))];
    await super.onAfterRunSuite(suite);
  }
}
