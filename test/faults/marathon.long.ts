/** The long run. `FAULT_SEED` repeats one, and `FAULT_BLOCKS` says how long it is. */
import { expect, test } from "vitest";
import { missingKinds } from "./faults.ts";
import { runMarathon } from "./marathon.ts";

const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 1_000_000));
const blocks = Number(process.env.FAULT_BLOCKS ?? 500);
const [reorgs, restarts] = [Math.round(blocks * 0.12), Math.round(blocks / 50)];

test(`${blocks} blocks, ${reorgs} reorganisations and ${restarts} restarts among faulty nodes lose, repeat and invent nothing (seed ${seed})`, async () => {
  const report = await runMarathon({ seed, blocks, reorgs, restarts, faultPercent: 10, untilAllKinds: true });
  console.log({ seed, ...report });
  expect(report).toMatchObject({ reorgs, restarts });
  expect(report.retractions).toBeGreaterThan(blocks / 10);
  expect(missingKinds(report.faults)).toEqual([]);
});
