/** Generated cases that find a fault: at the bound that is wrong, and as small as it can be. Apart from other tests, since shrinking takes seconds. */
import { expect, onTestFinished, test } from "vitest";
import { generateCases } from "../../scripts/command/conformance/cases/generate.ts";
import { runCases } from "../../scripts/command/conformance/cases/run.ts";
import { createExchangeRecorder } from "../../scripts/command/conformance/exchange.ts";
import { failureOf } from "../../scripts/command/conformance/report/table.ts";
import { type Breakage, breakServer } from "./breakage.ts";
import { startExample } from "./example.ts";
import { exampleTarget } from "./example-target.ts";

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
  const recorder = createExchangeRecorder(new URL(server.url), signal);
  onTestFinished(recorder.close);
  const operations = ["updateWebhook"] as const;
  const findings = await runCases({ recorder, target: exampleTarget, signal, cases, seed: 1, operations, left: [] });
  const single = findings.filter(({ by }) => !by.endsWith("a sequence"));
  expect(single.map((one) => [one.rule, one.requests?.length])).toEqual([[rule, 1]]);
  expect(single[0]?.by).toMatch(new RegExp(`: ${field} is \\d+ characters`));
});

test("a fault that needs two requests is shown in two, as small as they can be, without the key", async () => {
  const forgets: Breakage["request"] = ({ method, path, body }) => {
    if (method === "PATCH" && !path.endsWith("/addresses") && String(body?.description ?? "").length > 3)
      body.name = "lost";
    return undefined;
  };
  const example = await startExample();
  onTestFinished(example.close);
  const server = await breakServer(example.url, "both", [{ request: forgets }]);
  onTestFinished(server.close);
  const signal = new AbortController().signal;
  const baseUrl = new URL(server.url);
  const generate = () => generateCases({ baseUrl, target: exampleTarget, signal, cases: { count: 20, seed: 3 } });
  const first = await generate();
  const found = first.findings.find(({ rule }) => rule === "update-leaves-the-rest");
  expect(found?.by).toMatch(/^generated case \d+ of --seed 3, a sequence$/);
  const [create, update, ...more] = found?.requests ?? [];
  expect(more).toEqual([]);
  expect(create).toMatch(/^curl -X POST "\$URL\/v1\/webhooks" -H "x-service-api-key: \$KEY" /);
  expect(update).toMatch(
    /^curl -X PATCH "\$URL\/v1\/webhooks\/\$WEBHOOK_1" .*--data-raw '\{"description":"(\\u[\da-f]{4}|.){2,4}"\}'$/u,
  );
  expect(JSON.stringify(found?.requests)).not.toContain("both");
  expect(found && failureOf(found).join("\n")).toContain(`again     ${create}`);
  const again = await generate();
  expect(again.findings.map(({ by, rule }) => [by, rule])).toEqual(first.findings.map(({ by, rule }) => [by, rule]));
});
