/** What the page's console makes of its fields. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultServer } from "../../scripts/maintain/docs-page/console/model.ts";
import { type Filled, parametersIn, prepare } from "../../scripts/maintain/docs-page/console/request.ts";
import { pageOperations } from "../../scripts/maintain/docs-page/operations.ts";

const operations = pageOperations(
  JSON.parse(readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8")),
);
const filled: Filled = { server: "http://127.0.0.1:3000", key: "cwk_1", values: {}, body: "" };

function prepared(operationId: string, changes: Partial<Filled> = {}) {
  const operation = operations.find((one) => one.operationId === operationId) ?? expect.fail(operationId);
  return prepare(operation, "x-service-api-key", { ...filled, ...changes });
}

test("a body is sent as it was typed, with its type", () => {
  expect(prepared("updateWebhook", { values: { id: "a" }, body: '{ "name": "n" }' })).toMatchObject({
    method: "PATCH",
    headers: { "x-service-api-key": "cwk_1", "content-type": "application/json" },
    body: '{ "name": "n" }',
  });
});

test("parameters go where they belong, and what is empty is left out", () => {
  const values = { id: "a/b", status: "failed", afterSequence: "", pageToken: "x&y=1" };
  const request = prepared("listNotifications", { values, server: "https://example.com/prefix/" });
  expect(request).toMatchObject({ method: "GET", headers: { "x-service-api-key": "cwk_1" } });
  expect("url" in request && request.url.href).toBe(
    "https://example.com/prefix/v1/webhooks/a%2Fb/notifications?status=failed&pageToken=x%26y%3D1",
  );
  expect(prepared("createWebhook", { values: { "Idempotency-Key": "k" } })).toMatchObject({
    headers: { "Idempotency-Key": "k" },
  });
});

test("no key is sent where none was entered, and none to an operation that takes none", () => {
  expect(prepared("listWebhooks", { key: "" })).toMatchObject({ headers: {} });
  expect(prepared("listChains")).toMatchObject({ headers: {} });
});

test.each([
  ["server", "createWebhook", { server: "127.0.0.1:3000" }, "Server must be an http or https address"],
  ["server", "createWebhook", { server: "https://user:word@example.com" }, "without user name"],
  ["key", "createWebhook", { key: "two words" }, "API key must consist of"],
  ["id", "getWebhook", {}, "id must be filled in."],
  ["id", "getWebhook", { values: { id: ".." } }, 'id must not be "..".'],
  ["Idempotency-Key", "createWebhook", { values: { "Idempotency-Key": "ключ" } }, "Idempotency-Key must consist of"],
  ["body", "createWebhook", { body: "{" }, "Body is not JSON: "],
])("a wrong %s of %s is reported in a sentence that names the field", (field, operationId, changes, sentence) => {
  const problem = prepared(operationId, changes);
  expect(problem).toMatchObject({ field });
  expect("problem" in problem && problem.problem).toContain(sentence);
});

test("what was made is found in its path", () => {
  expect(parametersIn("/v1/webhooks/6d1b", operations)).toEqual({ id: "6d1b" });
  expect(parametersIn("/v1/webhooks/6d1b/replays/0b8f", operations)).toEqual({ id: "6d1b", replayId: "0b8f" });
  expect(parametersIn("/elsewhere", operations)).toEqual({});
  expect(parametersIn("", operations)).toEqual({});
});

test.each([
  ["http://127.0.0.1:3000/docs", "http://127.0.0.1:3000"],
  ["https://example.com/webhooks/docs", "https://example.com/webhooks"],
  ["https://example.com/pages/docs.html", "https://example.com"],
  ["file:///tmp/docs.html", "http://named"],
])("a page at %s calls %s", (page, server) => {
  expect(defaultServer(new URL(page), "http://named")).toBe(server);
});
