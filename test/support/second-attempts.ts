/** Reports tests that passed at a second attempt. `.ci/run` names them at its end, since they or what they test are at fault. */
import type { Reporter, TestCase } from "vitest/node";

export class SecondAttempts implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { flaky = false, retryCount = 0 } = test.diagnostic() ?? {};
    if (!flaky) return;
    const why = test.result().errors?.map(({ message }) => message.split("\n", 3).join(" "));
    console.log(
      `second attempt (${retryCount + 1}): ${test.module.relativeModuleId} > ${test.fullName}: ${why?.join("; ")}`,
    );
  }
}
