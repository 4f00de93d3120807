/** Every operation of the contract, and every answer that it has, can be had from the mock, and is what the contract says. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationTable } from "../../generated/operations.ts";
import { loadContract } from "../../server/contract/contract.ts";
import type { reasonPhrases } from "../../server/contract/errors.ts";
import { assertError } from "../support/contract-check.ts";
import { type StatelessMock, startPageMock, startStatelessMock } from "../support/mock.ts";

type Media = { content?: { "application/json"?: { examples?: Record<string, object> } } };
type Operation = { requestBody?: object; responses: Record<string, object> };

const contract = await loadContract();
const paths = contract.paths as unknown as Record<string, Record<string, Operation>>;
const id = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const queries: Record<string, string> = { explainWebhook: `?txHash=0x${"1".repeat(64)}` };

const started: Record<string, StatelessMock> = {};
beforeAll(async () => {
  started.prism = await startStatelessMock();
  started.page = await startPageMock();
});
afterAll(() => Promise.all(Object.values(started).map((mock) => mock.close())));

/** Follows references within the contract to their end. */
function resolve<T>(value: object | undefined): T | undefined {
  if (!value || !("$ref" in value)) return value as T | undefined;
  const steps = String(value.$ref).slice("#/".length).split("/");
  return resolve(steps.reduce<object>((at, step) => (at as Record<string, object>)[step] ?? {}, contract));
}

const examplesOf = (media: object | undefined) => resolve<Media>(media)?.content?.["application/json"]?.examples ?? {};

const answers = Object.entries(operationTable).flatMap(([operationId, { method, path }]) => {
  const { requestBody, responses } = paths[path]?.[method] ?? { responses: {} };
  const [body] = Object.values(examplesOf(requestBody));
  return Object.entries(responses).flatMap(([status, response]) =>
    Object.entries(examplesOf(response)).map(([name, example]) => ({
      operationId,
      status: Number(status),
      name,
      method: method.toUpperCase(),
      path: path.replace(/{\w+}/g, id) + (queries[operationId] ?? ""),
      body: resolve<{ value: unknown }>(body)?.value,
      expected: resolve<{ value: unknown }>(example)?.value,
    })),
  );
});

test.each(answers)("$operationId $status $name", async ({ status, name, method, path, body, expected }) => {
  const shown = [];
  for (const mock of Object.values(started)) {
    const reply = await mock.call(method, path, { body, headers: { prefer: `code=${status}, example=${name}` } });
    expect(reply.body).toEqual(expected);
    if (status >= 400) assertError(reply, status as keyof typeof reasonPhrases);
    else expect(reply.status).toBe(status);
    shown.push(Object.fromEntries([...reply.headers].filter(([header]) => !ofTheServer.has(header))));
  }
  // Prism finds the examples of one, and the other finds them by itself.
  expect(shown[1]).toEqual(shown[0]);
});

const ofTheServer = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding", "vary"]);

test("a list has the requested number of items, and its second page is empty and the last", async () => {
  const mock = started.prism as StatelessMock;
  const { body: first } = await mock.call("GET", "/v1/webhooks?pageSize=1");
  expect(first.webhooks).toHaveLength(1);
  const { body: second } = await mock.call("GET", `/v1/webhooks?pageToken=${first.nextPageToken}`);
  expect(second).toEqual({ webhooks: [] });
});
