/** The short run; `npm run test:more faults` does the long one. */
import { expect, test } from "vitest";
import { runMarathon } from "./marathon.ts";

test("through faulty nodes, reorganisations and restarts, what is recorded is what is on the chain in the end", async () => {
  const report = await runMarathon({ seed: 7, blocks: 30, reorgs: 3, restarts: 1, faultPercent: 12 });
  expect(report).toMatchObject({ blocks: 30, reorgs: 3, restarts: 1 });
  expect(report.retractions).toBeGreaterThan(0);
  expect(report.faults.size).toBeGreaterThan(5);
});
