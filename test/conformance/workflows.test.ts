/** The workflows are complete: each operation, each status that a client can cause, each parameter, and existing rules only. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import workflows from "../../generated/workflows.arazzo.json" with { type: "json" };
import { describedParameters, operationIds, statusesOf } from "../../scripts/command/conformance/contract.ts";
import { isRule, rules } from "../../scripts/command/conformance/rules.ts";

type Step = {
  operationId: string;
  parameters?: { name?: string; in?: string }[];
  successCriteria: { condition: string; "x-rule"?: string }[];
};
const steps = workflows.workflows.flatMap((workflow) => workflow.steps as unknown as Step[]);

/** What Arazzo cannot send, or what needs activity on a chain: the command causes these, or tells that it could not. */
const beyondWorkflows = [
  "listChains 400",
  "getSharedSecret 400",
  "rotateSharedSecret 400",
  // Other webhooks of the account are signed with it, and a run changes only what it has made.
  "rotateSharedSecret 201",
  // An account has one operational webhook. A run leaves it alone where there is one.
  ...["get", "delete"].flatMap((verb) => [200, 400, 404].map((status) => `${verb}OperationalWebhook ${status}`)),
  ...["getOperationalSecret", "rotateOperationalSecret", "testOperationalWebhook"].flatMap((operation) =>
    [200, 400, 404].map((status) => `${operation} ${status}`),
  ),
  ...[200, 404, 410].map((status) => `readOperationalFeed ${status}`),
  ...[200, 413].map((status) => `putOperationalWebhook ${status}`),
  "createReplay 409",
  "addWebhookAddresses 409",
  "getNotification 200",
  "readFeed 410",
  "resendNotification 202",
  "explainWebhook 200",
  ...[
    "createWebhook",
    "previewWebhook",
    "updateWebhook",
    "addWebhookAddresses",
    "removeWebhookAddresses",
    "changeWebhookAddresses",
    "createReplay",
  ].map((operation) => `${operation} 413`),
];
/** What no client can cause. */
const ofTheServer = [429, 500, 502, 503];

test("the workflows provoke every status of every operation that a client can cause", () => {
  const asked = new Set(
    steps.flatMap(({ operationId, successCriteria }) =>
      successCriteria.flatMap(({ condition }) =>
        condition.startsWith("$statusCode == ") ? [`${operationId} ${condition.slice("$statusCode == ".length)}`] : [],
      ),
    ),
  );
  const documented = operationIds.flatMap((id) => statusesOf(id).map((status) => [id, status] as const));
  const missing = documented
    .filter(([id, status]) => !ofTheServer.includes(status) && !asked.has(`${id} ${status}`))
    .map(([id, status]) => `${id} ${status}`);
  expect(missing.sort()).toEqual(beyondWorkflows.sort());
});

/** Parameters that only a check of our own sends, each with the code that follows the pages. */
const checkedParameters: Record<string, readonly [file: string, code: string]> = {
  "listWebhooks pageToken": ["lists.ts", 'walk(probe, "listWebhooks"'],
  "listNotifications pageToken": ["notifications.ts", 'walk(probe, "listNotifications"'],
};

test("every query parameter and header of a request is sent by a workflow, or by a check that examines what it does", () => {
  const sent = new Set(
    steps.flatMap(({ operationId, parameters = [] }) => parameters.map(({ name }) => `${operationId} ${name}`)),
  );
  const declared = operationIds.flatMap((id) =>
    describedParameters(id).flatMap(({ name, in: place }) => (place === "path" ? [] : [`${id} ${name}`])),
  );
  const missing = declared.filter((parameter) => !sent.has(parameter));
  expect(missing.sort()).toEqual(Object.keys(checkedParameters).sort());
});

test.each(Object.entries(checkedParameters))("%s is sent by %j", (_, [file, code]) => {
  const checks = new URL("../../scripts/command/conformance/checks/", import.meta.url);
  expect(readFileSync(new URL(file, checks), "utf8")).toContain(code);
});

test("every criterion checks a rule", () => {
  for (const { successCriteria } of steps)
    for (const criterion of successCriteria) expect(isRule(criterion["x-rule"]), JSON.stringify(criterion)).toBe(true);
});

test("every rule is checked by something", () => {
  const folder = new URL("../../scripts/command/conformance/", import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && name !== "rules.ts")
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .concat(JSON.stringify(workflows));
  const idle = Object.keys(rules).filter((rule) => !sources.some((source) => source.includes(`"${rule}"`)));
  expect(idle).toEqual([]);
});
