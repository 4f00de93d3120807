/**
 * How many mechanical mutants of previews, explanations, notifications and replays conformance catches. Each costs a whole run where its
 * part about the chain finds nothing, so none is tried unless `CHAIN_MUTANTS=N` or `all` asks for it; `CHAIN_MUTANTS_SEED=N` for others.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ActiveWorld, startActiveWorld } from "./active-world.ts";
import { createFinder } from "./faults/find.ts";
import { effective, mutantsOnChain } from "./faults/mutants.ts";
import { sampleOf } from "./sample.ts";

const wanted = process.env.CHAIN_MUTANTS ?? "0";
const seed = Number(process.env.CHAIN_MUTANTS_SEED ?? 1);
const leastCaught = 0.95;
const mutants = sampleOf(Object.entries(mutantsOnChain), ([id]) => id, { wanted, seed });

let world: ActiveWorld | undefined;
beforeAll(async () => {
  if (mutants.length > 0) world = await startActiveWorld();
});
afterAll(() => world?.stop());

test("at least 150 are there to be tried", () => {
  expect(Object.keys(mutantsOnChain).length).toBeGreaterThanOrEqual(150);
});

test.skipIf(mutants.length === 0)(
  `${mutants.length} mutants on a chain are caught`,
  { timeout: 36_000_000 },
  async () => {
    const survived: string[] = [];
    let caught = 0;
    const finder = createFinder(world);
    for (const [id, fault] of mutants) {
      const findings = await finder.findingsOf(fault);
      if (findings.length > 0) caught += 1;
      else if (effective.has(id)) survived.push(id);
    }
    const share = caught / (caught + survived.length);
    console.log(
      `${caught} of ${caught + survived.length} mutants on a chain caught; survived:\n${survived.join("\n")}`,
    );
    expect(share).toBeGreaterThanOrEqual(leastCaught);
  },
);
