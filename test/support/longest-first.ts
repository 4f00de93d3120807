/**
 * The order in which test files start. A run ends no sooner than its last file, so the long ones start first: those named
 * `.long.test.ts`, then those of the package, which is packed and installed meanwhile.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  if (moduleId.endsWith(".long.test.ts")) return 0;
  return project.name === "package" ? 1 : 2;
}
