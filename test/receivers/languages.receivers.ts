/** The receivers of `examples/receivers/` hold against the deliveries of the service, built and started as each file tells. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startWorld, type World } from "../support/service.ts";
import { assertNeedsSecret, assertReceives } from "./harness/assert-receives.ts";
import { type Fault, faults, faulty } from "./harness/faulty.ts";
import { makeWorkshop, versionsOf, type Workshop } from "./harness/workshop.ts";
import { languages } from "./languages.ts";

const examples = fileURLToPath(new URL("../../examples/receivers/", import.meta.url));
const report: string[] = [];
let world: World;
let workshop: Workshop;

beforeAll(async () => {
  [world, workshop] = await Promise.all([startWorld(), makeWorkshop()]);
});

afterAll(async () => {
  await workshop?.close();
  await world?.stop();
  console.log(report.sort().join("\n"));
});

test("each folder of examples/receivers/ is run here", () => {
  expect(Object.keys(languages).sort()).toEqual(readdirSync(examples).sort());
});

for (const [index, [folder, program]] of Object.entries(languages).entries())
  test.concurrent(`${program.name} accepts what the service sends, handles it once, and refuses everything else`, async ({
    skip,
  }) => {
    const { versions, missing } = await versionsOf(program.needs);
    if (missing) {
      report.push(`${program.name}: not run, since ${missing} is not on this machine`);
      if (process.env.CI) throw new Error(`${missing} is needed and cannot be run.`);
      skip(`${missing} is not on this machine`);
    }
    const start = await workshop.open(join(examples, folder), program);
    await assertReceives(world, index, start);
    for (const secret of ["", "whsec_"]) await assertNeedsSecret(start, secret);
    report.push(`${program.name}: built and run with ${versions[0]}, verified by ${program.verifiedBy}`);
  });

const attempt = async (fault?: Fault) => {
  const receiver = faulty(fault);
  onTestFinished(receiver.close);
  await assertReceives(world, 9, receiver.start);
};

test("a receiver without a fault passes", () => attempt());

test.each(Object.entries(faults))("a receiver that %s does not", async (fault, step) => {
  await expect(attempt(fault as Fault)).rejects.toThrow(new RegExp(step, "m"));
});
