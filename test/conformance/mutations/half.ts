/**
 * The mutation score of conformance: mutants of the example server, each of which the rules and the generated cases must catch, but those
 * listed in survivors.ts. `MUTANTS=N` tries N of them, `MUTANTS=all` all,
 * `MUTANTS=TEXT` those with the text in their names, and `MUTANTS_SEED=N` others. Two files share the work.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../../scripts/command/conformance/receiver.ts";
import { failureOf } from "../../../scripts/command/conformance/report/table.ts";
import { examineExample } from "../example.ts";
import { sampleOf } from "../sample.ts";
import { type Caught, hunt } from "./hunt.ts";
import { allMutants, isMutant, type Mutant } from "./mutants.ts";
import { startMutated } from "./mutated-server.ts";
import { survivors } from "./survivors.ts";

const wanted = process.env.MUTANTS ?? "300";
const seed = Number(process.env.MUTANTS_SEED ?? 1);
const all = wanted === "all";
/** Of a survivor that is listed, a sample looks less far. */
const cases = { sample: 40, all: 300 };
const leastMutants = 120;
const leastCaught = 0.95;

/** @param half 0 or 1 */
export function testHalf(half: 0 | 1): void {
  let receiver: Receiver;
  let mutants: Mutant[];
  beforeAll(async () => {
    receiver = await startReceiver({ host: "127.0.0.1", port: 0 });
    mutants = await allMutants(receiver);
  }, 300_000);
  afterAll(() => receiver.close());

  // Those that no client can notice do not count: nobody could catch them.
  test(`at least ${leastCaught * 100} % of the mutants are not listed as survivors, and each that is listed exists`, () => {
    const ids = new Set(mutants.map(({ id }) => id));
    expect(ids.size).toBe(mutants.length);
    expect(Object.keys(survivors).filter((id) => !isMutant(id, ids))).toEqual([]);
    expect(mutants.length).toBeGreaterThanOrEqual(leastMutants);
    const reasons = Object.values(survivors);
    const equivalent = reasons.filter((reason) => reason.startsWith("Equivalent")).length;
    const score = 1 - (reasons.length - equivalent) / (mutants.length - equivalent);
    console.log(
      `${mutants.length} mutants, ${equivalent} equivalent; ${(score * 100).toFixed(1)} % of the others caught`,
    );
    expect(score).toBeGreaterThanOrEqual(leastCaught);
  });

  test(`the mutants are caught, but those listed (MUTANTS=${wanted} MUTANTS_SEED=${seed})`, {
    timeout: 3_600_000,
  }, async () => {
    const mine = sampleOf(mutants, ({ id }) => id, { wanted, seed }).filter((_, index) => index % 2 === half);
    const survived: string[] = [];
    const caughtThough: string[] = [];
    for (const mutant of mine) {
      const caught = await tryMutant(mutant, receiver);
      const listed = Object.hasOwn(survivors, mutant.id);
      if (!caught && !listed) {
        survived.push(mutant.id);
        console.log(`survived: ${mutant.id}`);
      }
      if (caught && listed) caughtThough.push(`${mutant.id}\n  ${failureOf(caught.finding).join("\n  ")}`);
    }
    console.log(`${mine.length} of ${mutants.length} mutants tried, half ${half + 1} of 2`);
    expect({ survived, caughtThough }).toEqual({ survived: [], caughtThough: [] });
  });
}

/** First what is quick; the whole command only for what survives that without being listed. */
async function tryMutant({ id, mutation, operation }: Mutant, receiver: Receiver): Promise<Caught> {
  // One mutant gives every notification the same identifier, which is no fault of those after it.
  receiver.deliveries.length = 0;
  let server: { url: string; close(): Promise<void> };
  try {
    server = await startMutated(mutation);
  } catch (error) {
    const finding = {
      rule: "answers",
      subject: "otherPaths",
      status: 0,
      by: id,
      request: "",
      expected: "a start",
      came: `${error}`,
    } as const;
    return { stage: "start", finding };
  }
  try {
    const listed = Object.hasOwn(survivors, id);
    const caught = await hunt(server.url, receiver, { cases: all ? cases.all : cases.sample, operation });
    if (caught || (listed && !all)) return caught;
    const { findings } = await examineExample(server.url, {
      readKey: undefined,
      writeKey: undefined,
      // A sample ends with the cases that a run of all begins with, so that both find the same.
      cases: { count: cases.all, seed: all ? 2 : 1 },
    });
    const [finding] = findings;
    return finding && { stage: "all", finding };
  } finally {
    await server.close();
  }
}
