/**
 * Faults written by hand, from the contract and without a look at the rules: a whole run of conformance against each must find it. How
 * many it finds is the share that CONTRIBUTING.md states. `FAULTS=N` tries N of them, `FAULTS=all` all, `FAULTS="TEXT TEXT"` those with one of
 * the texts in their names, and `FAULTS_SEED=N` others.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAttempt } from "../../scripts/command/conformance/cases/attempt.ts";
import { checkActivity } from "../../scripts/command/conformance/checks/activity.ts";
import { checkCallback } from "../../scripts/command/conformance/checks/callback.ts";
import { createRecorder } from "../../scripts/command/conformance/exchange.ts";
import type { Finding } from "../../scripts/command/conformance/findings.ts";
import { startReceiver } from "../../scripts/command/conformance/receiver.ts";
import { failureOf } from "../../scripts/command/conformance/report/table.ts";
import { findTarget } from "../../scripts/command/conformance/target.ts";
import { type ActiveWorld, startActiveWorld } from "./active-world.ts";
import { breakServer } from "./breakage.ts";
import { examineExample, otherKey, startExample } from "./example.ts";
import { onChain } from "./faults/chain.ts";
import { correct } from "./faults/correct.ts";
import type { Fault, Faults } from "./faults/fault.ts";
import { ofLists } from "./faults/lists.ts";
import { missed } from "./faults/missed.ts";
import { ofRecords } from "./faults/records.ts";
import { ofRequests } from "./faults/requests.ts";
import { ofSending } from "./faults/sending.ts";
import { sampleOf } from "./sample.ts";

const faults: Faults = { ...ofRequests, ...ofRecords, ...ofLists, ...ofSending, ...onChain };
const all: Faults = { ...faults, ...correct };
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

/** A whole run, unless a part of it finds something: on a chain, that part is what is notified, previewed and explained. */
async function findingsOf({ needs, make }: Fault): Promise<readonly Finding[]> {
  const onWorld = needs === "chain" && world !== undefined;
  const correct = onWorld ? world : await startExample();
  if (!correct) return [];
  const options = onWorld && world ? world.options : { otherKey };
  const server = await breakServer(correct.url, onWorld && world ? world.options.apiKey : "both", [make()]);
  try {
    const found = onWorld && world ? await activityOf(server.url, world.options) : [];
    return found.length > 0 ? found : (await examineExample(server.url, options)).findings;
  } finally {
    await server.close();
    if (!onWorld) await correct.close();
  }
}

async function activityOf(url: string, options: ActiveWorld["options"]): Promise<readonly Finding[]> {
  const signal = AbortSignal.timeout(300_000);
  const recorder = createRecorder(new URL(url), signal);
  const receiver = await startReceiver({ host: "127.0.0.1", port: 0 });
  const target = await findTarget(recorder, { ...options, baseUrl: new URL(url) }, []);
  const attempt = startAttempt({ recorder, target, signal, left: [] }, "activity");
  try {
    const endpoint = { receiver, url: `${receiver.url}/notifications` };
    if (await checkCallback(attempt.probe, endpoint))
      await checkActivity(attempt.probe, { endpoint, nodeUrl: options.nodeUrl });
    return attempt.findings;
  } finally {
    await attempt.end();
    await Promise.all([recorder.close(), receiver.close()]);
  }
}

test(`the faults are found, but those listed (${names.length} of them, FAULTS_SEED=${seed})`, {
  timeout: 3_600_000,
}, async () => {
  const waiting = [...names];
  const survived: string[] = [];
  const foundThough: string[] = [];
  const falseAlarms: string[] = [];
  async function tryAll(): Promise<void> {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const fault = all[name];
      if (!fault) continue;
      const findings = await findingsOf(fault);
      const [finding] = findings;
      if (process.env.FAULTS_LOG)
        console.log(`${name}: ${[...new Set(findings.map(({ rule }) => rule))].join(" ") || "MISSED"}`);
      const listed = Object.hasOwn(missed, name);
      if (Object.hasOwn(correct, name)) {
        if (finding) falseAlarms.push(`${name}: ${findings.flatMap(failureOf).join("\n  ")}`);
      } else if (!finding && !listed) survived.push(`${name}: ${fault.says}`);
      else if (finding && listed) foundThough.push(`${name}\n  ${failureOf(finding).join("\n  ")}`);
    }
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
});

test(`at least ${leastCaught * 100} % of the faults are not listed as missed, and each that is listed exists`, () => {
  expect(Object.keys(missed).filter((name) => !Object.hasOwn(faults, name))).toEqual([]);
  const share = 1 - Object.keys(missed).length / Object.keys(faults).length;
  expect(share).toBeGreaterThanOrEqual(leastCaught);
});
