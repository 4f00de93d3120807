/**
 * The order in which test files start. A run ends no sooner than its last file, and waiting costs nothing beside computing: first come
 * the long ones, then those that mostly wait for leases, blocks and processes.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Rooms whose tests mostly wait. */
const waiting = /\/test\/(e2e|delivery|chain\/follow|faults|cells\/faults)[/.]/;

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  if (project.name === "long" || project.name === "alone") return 0;
  if (project.name === "package") return 1;
  return waiting.test(moduleId) ? 2 : 3;
}
