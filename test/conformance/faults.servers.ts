/**
 * Faults written by hand, from the contract and without a look at the rules: a whole run of conformance against each must find it. How
 * many it finds is the share that CONTRIBUTING.md states. `FAULTS=N` tries N of them, `FAULTS=all` all, `FAULTS="TEXT TEXT"` those with one of
 * the texts in their names, and `FAULTS_SEED=N` others.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Finding } from "../../scripts/command/conformance/findings.ts";
import { failureOf } from "../../scripts/command/conformance/report/table.ts";
import { type ActiveWorld, startActiveWorld } from "./active-world.ts";
import { breakServer } from "./breakage.ts";
import { examineExample, otherKey, startExample } from "./example.ts";
import { onChain } from "./faults/chain.ts";
import type { Fault } from "./faults/fault.ts";
import { ofLists } from "./faults/lists.ts";
import { missed } from "./faults/missed.ts";
import { ofRecords } from "./faults/records.ts";
import { ofRequests } from "./faults/requests.ts";
import { ofSending } from "./faults/sending.ts";
import { sampleOf } from "./sample.ts";

const all: Readonly<Record<string, Fault>> = { ...ofRequests, ...ofRecords, ...ofLists, ...ofSending, ...onChain };
const wanted = process.env.FAULTS ?? "40";
const seed = Number(process.env.FAULTS_SEED ?? 1);
const leastCaught = 0.95;
const atOnce = 3;

const names = /^(all|\d+)$/.test(wanted)
  ? sampleOf(Object.keys(all), (name) => name, { wanted, seed })
  : Object.keys(all).filter((name) => wanted.split(" ").some((text) => name.includes(text)));

let world: ActiveWorld | undefined;
beforeAll(async () => {
  if (names.some((name) => all[name]?.needs === "chain")) world = await startActiveWorld();
});
afterAll(() => world?.stop());

async function findingsOf({ needs, make }: Fault): Promise<Finding[]> {
  const correct = needs === "chain" && world ? world : await startExample();
  const options = correct === world ? world.options : { otherKey };
  const server = await breakServer(correct.url, correct === world ? world.options.apiKey : "both", [make()]);
  try {
    return (await examineExample(server.url, options)).findings;
  } finally {
    await server.close();
    await correct.close();
  }
}

test(`the faults are found, but those listed (${names.length} of them, FAULTS_SEED=${seed})`, {
  timeout: 3_600_000,
}, async () => {
  const waiting = [...names];
  const survived: string[] = [];
  const foundThough: string[] = [];
  async function tryAll(): Promise<void> {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const fault = all[name];
      if (!fault) continue;
      const findings = await findingsOf(fault);
      const [finding] = findings;
      if (process.env.FAULTS_LOG)
        console.log(`${name}: ${[...new Set(findings.map(({ rule }) => rule))].join(" ") || "MISSED"}`);
      const listed = Object.hasOwn(missed, name);
      if (!finding && !listed) survived.push(`${name}: ${fault.says}`);
      if (finding && listed) foundThough.push(`${name}\n  ${failureOf(finding).join("\n  ")}`);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, tryAll));
  const found = names.length - survived.length - names.filter((name) => Object.hasOwn(missed, name)).length;
  console.log(`${found} of ${names.length} faults found`);
  expect({ survived: survived.sort(), foundThough }).toEqual({ survived: [], foundThough: [] });
});

test(`at least ${leastCaught * 100} % of the faults are not listed as missed, and each that is listed exists`, () => {
  expect(Object.keys(missed).filter((name) => !Object.hasOwn(all, name))).toEqual([]);
  const share = 1 - Object.keys(missed).length / Object.keys(all).length;
  expect(share).toBeGreaterThanOrEqual(leastCaught);
});
