/**
 * Faults written by hand, from the contract and without a look at the rules: a whole run of conformance against each must find it, and
 * nothing at the correct servers. `FAULTS=N` tries N faults, `FAULTS=all` all, and `CORRECT` chooses correct servers in the same way.
 * `FAULTS="TEXT TEXT"` tries those of both with one of the texts in their names, and `FAULTS_SEED=N` chooses others.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { failureOf } from "../../scripts/command/conformance/report/table.ts";
import { type ActiveWorld, startActiveWorld } from "./active-world.ts";
import { onChain } from "./faults/chain.ts";
import { correct } from "./faults/correct.ts";
import type { Faults } from "./faults/fault.ts";
import { createFinder } from "./faults/find.ts";
import { ofLists } from "./faults/lists.ts";
import { missed } from "./faults/missed.ts";
import { ofRecords } from "./faults/records.ts";
import { ofRequests } from "./faults/requests.ts";
import { ofSending } from "./faults/sending.ts";
import { sampleOf } from "./sample.ts";

const faults: Faults = { ...ofRequests, ...ofRecords, ...ofLists, ...ofSending, ...onChain };
const all: Faults = { ...faults, ...correct };
const wanted = process.env.FAULTS ?? "0";
const seed = Number(process.env.FAULTS_SEED ?? 1);
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
  if (names.some((name) => all[name]?.needs === "chain")) world = await startActiveWorld();
});
afterAll(() => world?.stop());

test.skipIf(names.length === 0)(
  `the faults are found, but those listed (${names.length} of them, FAULTS_SEED=${seed})`,
  {
    timeout: 3_600_000,
  },
  async () => {
    const waiting = [...names];
    const survived: string[] = [];
    const foundThough: string[] = [];
    const falseAlarms: string[] = [];
    async function tryAll(): Promise<void> {
      const finder = createFinder(world);
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const fault = all[name];
        if (!fault) continue;
        const findings = await finder.findingsOf(fault, Object.hasOwn(correct, name));
        const [finding] = findings;
        if (process.env.FAULTS_LOG)
          console.log(`${name}: ${[...new Set(findings.map(({ rule }) => rule))].join(" ") || "MISSED"}`);
        const listed = Object.hasOwn(missed, name);
        if (Object.hasOwn(correct, name)) {
          if (finding) falseAlarms.push(`${name}: ${findings.flatMap(failureOf).join("\n  ")}`);
        } else if (!finding && !listed) survived.push(`${name}: ${fault.says}`);
        else if (finding && listed) foundThough.push(`${name}\n  ${failureOf(finding).join("\n  ")}`);
      }
      await finder.close();
    }
    await Promise.all(Array.from({ length: atOnce }, tryAll));
    const tried = names.filter((name) => Object.hasOwn(faults, name));
    const found = tried.length - survived.length - tried.filter((name) => Object.hasOwn(missed, name)).length;
    const sound = names.length - tried.length;
    console.log(
      `${found} of ${tried.length} faults found, ${falseAlarms.length} false alarms at ${sound} correct servers`,
    );
    expect({ falseAlarms, foundThough, survived: survived.sort() }).toEqual({
      falseAlarms: [],
      foundThough: [],
      survived: [],
    });
  },
);

test(`at least ${leastCaught * 100} % of the faults are not listed as missed, and each that is listed exists`, () => {
  expect(Object.keys(missed).filter((name) => !Object.hasOwn(faults, name))).toEqual([]);
  const share = 1 - Object.keys(missed).length / Object.keys(faults).length;
  expect(share).toBeGreaterThanOrEqual(leastCaught);
});
