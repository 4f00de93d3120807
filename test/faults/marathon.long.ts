/** The long run. `FAULT_SEED` repeats one. */
import { expect, test } from "vitest";
import { kinds } from "./faults.ts";
import { runMarathon } from "./marathon.ts";

const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 1_000_000));

test(`500 blocks, 60 reorganisations and 10 restarts among faulty nodes lose, repeat and invent nothing (seed ${seed})`, async () => {
  const report = await runMarathon({ seed, blocks: 500, reorgs: 60, restarts: 10, faultPercent: 10 });
  console.log({ seed, ...report });
  expect(report).toMatchObject({ blocks: 500, reorgs: 60, restarts: 10 });
  expect(report.retractions).toBeGreaterThan(50);
  for (const [kind, names] of Object.entries(kinds))
    expect([kind, names.some((name) => report.faults.has(name))]).toEqual([kind, true]);
});
