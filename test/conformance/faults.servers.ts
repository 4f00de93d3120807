/**
 * Faults written by hand, from the contract and without a look at the rules: a whole run of conformance against each must find it, and
 * nothing at the correct servers. `FAULTS=N` tries N faults, `FAULTS=all` all, and `CORRECT` chooses correct servers in the same way.
 * `FAULTS="TEXT TEXT"` tries those of both with one of the texts in their names, and `FAULTS_SEED=N` chooses others. `CHAIN_MUTANTS=N`
 * or `all` tries mechanical mutants of previews, explanations, notifications and replays, `CHAIN_MUTANTS_SEED=N` others.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Finding } from "../../scripts/command/conformance/findings.ts";
import { failureOf } from "../../scripts/command/conformance/report/table.ts";
import { type ActiveWorld, startActiveWorld } from "./active-world.ts";
import { onChain } from "./faults/chain.ts";
import { correct } from "./faults/correct.ts";
import type { Faults } from "./faults/fault.ts";
import { createFinder } from "./faults/find.ts";
import { ofLists } from "./faults/lists.ts";
import { missed } from "./faults/missed.ts";
import { effective, mutantsOnChain } from "./faults/mutants.ts";
import { ofRecords } from "./faults/records.ts";
import { ofRequests } from "./faults/requests.ts";
import { ofSending } from "./faults/sending.ts";
import { sampleOf } from "./sample.ts";

const faults: Faults = { ...ofRequests, ...ofRecords, ...ofLists, ...ofSending, ...onChain };
const all: Faults = { ...faults, ...correct };
const wanted = process.env.FAULTS ?? "0";
const seed = Number(process.env.FAULTS_SEED ?? 1);
const wantedMutants = process.env.CHAIN_MUTANTS ?? "0";
/** A mutant of a field that no answer had does not count, so a sample takes as many as it needs. */
const enoughMutants = Number(wantedMutants) >= 0 ? Number(wantedMutants) : Infinity;
const mutants =
  enoughMutants === 0
    ? []
    : sampleOf(Object.entries(mutantsOnChain), ([id]) => id, {
        wanted: enoughMutants === Infinity ? wantedMutants : "all",
        seed: Number(process.env.CHAIN_MUTANTS_SEED ?? 1),
      });
const leastCaught = 0.95;
const atOnce = 3;

const chosen = (of: Faults, size: string) => sampleOf(Object.keys(of), (name) => name, { wanted: size, seed });
const names = /^(all|\d+)$/.test(wanted)
  ? [...chosen(faults, wanted), ...chosen(correct, process.env.CORRECT ?? "0")]
  : Object.keys(all).filter((name) =>
      wanted
        .split(" ")
        .filter(Boolean)
        .some((text) => name.includes(text)),
    );

let world: ActiveWorld | undefined;
beforeAll(async () => {
  if (mutants.length > 0 || names.some((name) => all[name]?.needs === "chain")) world = await startActiveWorld();
});
afterAll(() => world?.stop());

/** Tries several at a time, each worker with an example of its own. @param judge may say that it has seen enough */
async function tryAll(
  tried: Faults,
  judge: (name: string, findings: readonly Finding[]) => "enough" | undefined,
): Promise<void> {
  const waiting = Object.entries(tried);
  const worker = async () => {
    const finder = createFinder(world);
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, fault] = next;
      const findings = await finder.findingsOf(fault, Object.hasOwn(correct, name));
      if (process.env.FAULTS_LOG)
        console.log(`${name}: ${[...new Set(findings.map(({ rule }) => rule))].join(" ") || "nothing found"}`);
      if (judge(name, findings) === "enough") waiting.length = 0;
    }
    await finder.close();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

test.skipIf(names.length === 0)(
  `the faults are found, but those listed, and nothing at correct servers (${names.length} of them, FAULTS_SEED=${seed})`,
  { timeout: 36_000_000 },
  async () => {
    const survived: string[] = [];
    const foundThough: string[] = [];
    const falseAlarms: string[] = [];
    const tried: Faults = Object.fromEntries(names.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
    await tryAll(tried, (name, findings) => {
      const said = findings.flatMap(failureOf).join("\n  ");
      const isListed = Object.hasOwn(missed, name);
      if (Object.hasOwn(correct, name)) {
        if (findings.length > 0) falseAlarms.push(`${name}: ${said}`);
      } else if (findings.length === 0 && !isListed) survived.push(`${name}: ${all[name]?.says}`);
      else if (findings.length > 0 && isListed) foundThough.push(`${name}\n  ${said}`);
      return undefined;
    });
    const broken = names.filter((name) => Object.hasOwn(faults, name));
    const found = broken.length - survived.length - broken.filter((name) => Object.hasOwn(missed, name)).length;
    const sound = names.length - broken.length;
    console.log(
      `${found} of ${broken.length} faults found, ${falseAlarms.length} false alarms at ${sound} correct servers`,
    );
    expect({ falseAlarms, foundThough, survived: survived.sort() }).toEqual({
      falseAlarms: [],
      foundThough: [],
      survived: [],
    });
  },
);

test.skipIf(mutants.length === 0)(
  `${wantedMutants} mutants on a chain are caught`,
  { timeout: 36_000_000 },
  async () => {
    const survived: string[] = [];
    let caught = 0;
    await tryAll(Object.fromEntries(mutants), (id, findings) => {
      if (findings.length > 0) caught += 1;
      else if (effective.has(id)) survived.push(id);
      return caught + survived.length >= enoughMutants ? "enough" : undefined;
    });
    const all = caught + survived.length;
    console.log(`${caught} of ${all} mutants on a chain caught; survived:\n${survived.join("\n")}`);
    // Of a few, one may be among those that nobody can tell.
    expect(survived.length).toBeLessThanOrEqual(Math.max(1, (1 - leastCaught) * all));
  },
);

test(`at least ${leastCaught * 100} % of the faults are not listed as missed, and each that is listed exists`, () => {
  expect(Object.keys(missed).filter((name) => !Object.hasOwn(faults, name))).toEqual([]);
  const share = 1 - Object.keys(missed).length / Object.keys(faults).length;
  expect(share).toBeGreaterThanOrEqual(leastCaught);
});

test("there are enough to try: 150 faults, 150 mutants on a chain and 20 correct servers", () => {
  const count = (of: Faults) => Object.keys(of).length;
  expect(Math.min(count(faults), count(mutantsOnChain))).toBeGreaterThanOrEqual(150);
  expect(count(correct)).toBeGreaterThanOrEqual(20);
});
