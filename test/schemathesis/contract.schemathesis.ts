/** Requests generated from the contract, valid and invalid ones, find nothing that the service does otherwise than it says. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ground, startGround } from "./ground.ts";
import { makeWorkshop, type Workshop } from "./workshop.ts";

/** `SCHEMATHESIS_SEED=N` makes other requests, and N again the same ones. */
const seed = Number(process.env.SCHEMATHESIS_SEED ?? 1);
/** `SCHEMATHESIS_EXAMPLES=N` makes fewer or more of them: 490 for each operation make 20,000 cases. */
const examples = Number(process.env.SCHEMATHESIS_EXAMPLES ?? 490);
const leastCases = Math.floor((20_000 * examples) / 490);

let ground: Ground;
let workshop: Workshop;
beforeAll(async () => {
  [ground, workshop] = await Promise.all([startGround(), makeWorkshop()]);
}, 300_000);
afterAll(async () => {
  workshop?.close();
  await ground?.stop();
});

test(`no check of Schemathesis fails in ${leastCases} cases (SCHEMATHESIS_SEED=${seed})`, async () => {
  const verdicts = await Promise.all([seed, seed + 1].map((one) => workshop.run(ground, { seed: one, examples })));
  const generated = verdicts.reduce((sum, verdict) => sum + verdict.generated, 0);
  console.log(`${generated} cases with the seeds ${seed} and ${seed + 1}`);
  for (const { complaint } of verdicts) expect(complaint).toBeUndefined();
  expect(ground.service.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  expect(generated).toBeGreaterThanOrEqual(leastCases);
});
