/** Starts the longest files first, since a run ends no sooner than the last of them. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => (moduleId.endsWith(".long.test.ts") ? 0 : 1);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
