/** Bounds that a server has wrong by one: a generated case is at each. Apart from the other tests, since it takes seconds. */
import { expect, onTestFinished, test } from "vitest";
import { runCases } from "../../scripts/command/conformance/cases/run.ts";
import { createRecorder } from "../../scripts/command/conformance/exchange.ts";
import { quietAddress } from "../../scripts/command/conformance/probe.ts";
import { type Breakage, breakServer } from "./breakage.ts";
import { startExample } from "./example.ts";

const target = {
  apiKey: "both",
  chainId: "43114",
  traces: true,
  followedBlock: undefined,
  address: quietAddress,
  addressIsActive: false,
  url: "https://receiver.example.com/notifications",
};
/** As many as updateWebhook has bounds, and the sequences between them. */
const cases = 160;

/** Changes a text of a request, if it has that one. */
const changing =
  (field: string, change: (text: string) => string): Breakage["request"] =>
  ({ body }) => {
    if (typeof body?.[field] === "string") body[field] = change(body[field]);
    return undefined;
  };

const offByOne: [what: string, field: string, breakage: Breakage["request"], rule: string][] = [
  [
    "takes a name of 201 characters",
    "name",
    changing("name", (text) => [...text].slice(0, 200).join("")),
    "bad-request-400",
  ],
  [
    "counts the UTF-16 units of a description",
    "description",
    changing("description", (text) => (text.length > 2000 ? text.padEnd(4001, "x") : text)),
    "status-expected",
  ],
];

test.each(offByOne)("a server that %s is found out at that bound", async (_, field, request, rule) => {
  const example = await startExample();
  onTestFinished(example.close);
  const server = await breakServer(example.url, "both", [{ ...(request && { request }) }]);
  onTestFinished(server.close);
  const signal = new AbortController().signal;
  const recorder = createRecorder(new URL(server.url), signal);
  onTestFinished(recorder.close);
  const operations = ["updateWebhook"] as const;
  const findings = await runCases({ recorder, target, signal, cases, seed: 1, operations, left: [] });
  const single = findings.filter(({ by }) => !by.endsWith("a sequence"));
  expect(single.map((one) => [one.rule, one.requests?.length])).toEqual([[rule, 1]]);
  expect(single[0]?.by).toMatch(new RegExp(`: ${field} is \\d+ characters`));
});
