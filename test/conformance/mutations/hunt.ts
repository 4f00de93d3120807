/** Looks for one thing that is wrong with a server, by the rules and by generated cases, and stops at the first. */

import type { OperationId } from "../../../generated/operations.ts";
import { startAttempt } from "../../../scripts/command/conformance/cases/attempt.ts";
import { runCases } from "../../../scripts/command/conformance/cases/run.ts";
import { trySequence } from "../../../scripts/command/conformance/cases/sequence.ts";
import type { Step } from "../../../scripts/command/conformance/cases/steps.ts";
import { checkCallback } from "../../../scripts/command/conformance/checks/callback.ts";
import { checkOperational } from "../../../scripts/command/conformance/checks/operational.ts";
import { checkSecrets } from "../../../scripts/command/conformance/checks/secrets.ts";
import { checkWebhooks } from "../../../scripts/command/conformance/checks/webhooks.ts";
import { examine } from "../../../scripts/command/conformance/examine.ts";
import {
  createExchangeRecorder,
  type ExchangeRecorder,
  isNetworkError,
} from "../../../scripts/command/conformance/exchange.ts";
import type { Finding } from "../../../scripts/command/conformance/findings.ts";
import { createProbe, newWebhook, type Probe, type Target } from "../../../scripts/command/conformance/probe.ts";
import type { Receiver } from "../../../scripts/command/conformance/receiver.ts";
import { asArray, asObject } from "../../../scripts/document/json.ts";
import { exampleTarget } from "../example-target.ts";

/** A finding, and the stage that has it; undefined where there is none. */
export type Caught = { stage: string; finding: Finding } | undefined;

const deadlineMs = 300_000;
const one = `0x${"1".repeat(40)}`;
const two = `0x${"Ab".repeat(20).toUpperCase()}`;
const signatures = [`0x${"C".repeat(64)}`, `0x${"d".repeat(64)}`];

/** Each kind of step once: most mutants do not get further. */
const stepsOn = (target: Target): Step[] => [
  {
    do: "create",
    body: newWebhook(target, {
      name: "A name",
      metadata: { addresses: [two.replace("0X", "0x"), one], eventSignatures: signatures, includeLogs: true },
    }),
    withKey: true,
  },
  {
    do: "create",
    body: newWebhook(target, { description: "d", includeInternalTxs: true, finality: { confirmations: 2 } }),
    withKey: false,
  },
  { do: "get", which: 0, upper: true },
  { do: "update", which: 0, body: { name: "Another", includeLogs: false } },
  { do: "update", which: 0, body: { status: "inactive" } },
  { do: "update", which: 0, body: { status: "inactive", description: "e" } },
  { do: "add", which: 0, addresses: [`0x${"0".repeat(40)}`, `0x${"f".repeat(40)}`, one] },
  { do: "addresses", which: 0, pageSize: 2 },
  { do: "addresses", which: 0, pageSize: undefined },
  { do: "remove", which: 0, addresses: [one, one] },
  { do: "secret", which: 0 },
  { do: "rotate", which: 0 },
  { do: "secret", which: 0 },
  { do: "secret", which: 1 },
  { do: "repeat", which: 0, other: false },
  { do: "repeat", which: 0, other: true },
  { do: "list", status: undefined, pageSize: 1 },
  { do: "list", status: "inactive", pageSize: undefined },
  { do: "replay", which: 0, fromBlock: "7", ahead: false },
  { do: "replay", which: 0, fromBlock: "7", ahead: true },
  { do: "replay", which: 0, fromBlock: "9", ahead: false },
  ...[0, 1, 2].map((how) => ({ do: "unknown" as const, which: 0, how })),
  { do: "delete", which: 0 },
  ...Array.from({ length: 15 }, (_, how) => ({ do: "gone" as const, which: 0, how })),
];

/** How far to look. */
export type Range = {
  /** How many cases. */
  cases: number;
  /** Where to look, if it is known: only requests of this operation, besides sequences. */
  operation?: OperationId | undefined;
};

/** @param receiver shared by all hunts, one after the other */
export async function hunt(url: string, receiver: Receiver, { cases, operation }: Range): Promise<Caught> {
  const recorder = createExchangeRecorder(new URL(url), AbortSignal.timeout(deadlineMs));
  const seen = await seenTarget(recorder);
  if ("rule" in seen) return { stage: "steps", finding: seen };
  const target = seen;
  const sending = { recorder, target, signal: new AbortController().signal, left: [] };
  const world = { target, chainIds: [target.chainId], finality: false, webhookId: "", crowded: false };
  const endpoint = { receiver, url: `${receiver.url}/notifications` };
  const check = (name: string, run: (probe: Probe, failed: () => boolean) => Promise<unknown>) => async () => {
    const attempt = startAttempt(sending, name);
    const failed = () => attempt.findings.length > 0;
    await run(attempt.probe, failed).catch((error: unknown) => {
      if (!isNetworkError(error)) throw error;
      attempt.findings.push(unanswered(name, error));
    });
    return attempt.findings;
  };
  const stages: [name: string, find: () => Promise<Finding[]>][] = [
    ["steps", check("steps", (probe, failed) => trySequence(probe, stepsOn(target), world, failed))],
    ["callback", check("callback", (probe) => checkCallback(probe, endpoint))],
    ["webhooks", check("webhooks", checkWebhooks)],
    ["secrets", check("secrets", checkSecrets)],
    ["operational", check("operational", (probe) => checkOperational(probe, endpoint))],
    [
      "cases",
      () => runCases({ ...sending, cases, seed: 1, stopAtFirst: true, ...(operation && { operations: [operation] }) }),
    ],
  ];
  try {
    for (const [stage, find] of stages) {
      const [finding] = await find();
      if (finding) return { stage, finding };
    }
    return undefined;
  } finally {
    await recorder.close();
  }
}

/** The chain is the one that the server lists, as for the command. */
async function seenTarget(recorder: ExchangeRecorder): Promise<Target | Finding> {
  const probe = createProbe({ recorder, target: exampleTarget, findings: [], notes: [] }, "start");
  const listed = await probe.send("listChains");
  const [fault] = examine(listed);
  if (fault) return fault;
  const { chainId, traces } = asObject(asArray(asObject(listed.json).chains)[0]);
  return { ...exampleTarget, chainId: String(chainId), traces: traces === true };
}

function unanswered(by: string, error: unknown): Finding {
  const came = String(error);
  return { rule: "answers", subject: "otherPaths", status: 0, by, request: by, expected: "an answer", came };
}
