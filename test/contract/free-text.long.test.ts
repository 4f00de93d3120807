/** Text in a query arrives as it was sent, however a client encodes it; no parameter is free text today, so one is added. */
import assert from "node:assert/strict";
import { request } from "node:http";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { listen } from "../../server/api/listening/listen.ts";
import { loadContract, operationsOf, resolved } from "../../server/contract/contract.ts";
import { enforce, exact } from "../../server/contract/enforce.ts";
import { HttpError } from "../../server/contract/errors.ts";

const key = "key";
const id = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const contract = structuredClone(await loadContract());
const list = operationsOf(contract).find(({ operationId }) => operationId === "listWebhooks");
list?.parameters?.push({ name: "q", in: "query", schema: { type: "string" } });

/** Every parameter of a query that takes any text. */
const texts = operationsOf(contract).flatMap(({ path, method, parameters = [] }) =>
  parameters
    .map((parameter) => resolved(contract, parameter))
    .filter(({ in: place, schema }) => {
      const { type, ...bounds } = resolved(contract, schema ?? {}) as Record<string, unknown>;
      return place === "query" && type === "string" && !("enum" in bounds || "pattern" in bounds);
    })
    .map(({ name = "" }) => ({ name, method, path: path.replace("{id}", id) })),
);

let server: { url: string; close(): Promise<void> };
beforeAll(async () => {
  const app = exact(express());
  // The query in the message of an error is checked by nobody else.
  const echo: express.RequestHandler = ({ query }) => {
    throw new HttpError(404, JSON.stringify(query));
  };
  const findCaller = () => ({ scopes: ["read", "write"] as const });
  await enforce(app, echo, { contract, findCaller, onFailure: () => undefined });
  server = await listen(app, { port: 0 });
});
afterAll(() => server.close());

/** Sends a target as it is; `fetch` would encode it once more. */
function get(target: string): Promise<{ status: number; message: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(server.url, { path: target, headers: { "x-service-api-key": key } }, async (response) => {
      let body = "";
      for await (const chunk of response.setEncoding("utf8")) body += chunk;
      resolve({ status: response.statusCode ?? 0, message: JSON.parse(body).message });
    });
    asked.on("error", reject).end();
  });
}

const strange = [
  "!'()*",
  "a+b c",
  "a=b&c=d",
  ":/?#[]@!$&'()*+,;=",
  "100 % é 日本 🎉",
  "%zz",
  "%41",
  '"<>\\^`{|}~',
  "true",
  '{"a":1}',
  " a\n\t",
];

const percent = (character: string) =>
  [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const encoders: Record<string, (text: string) => string> = {
  encodeURIComponent,
  URLSearchParams: (text) => new URLSearchParams([["", text]]).toString().slice(1),
  "RFC 3986": (text) => [...text].map((one) => (/[\w.~-]/.test(one) ? one : percent(one).toUpperCase())).join(""),
  "every character": (text) => [...text].map(percent).join(""),
  "what it must": (text) =>
    [...text].map((one) => (/[!-~]/.test(one) && !/[%&#+]/.test(one) ? one : percent(one))).join(""),
};

test("there are text parameters to try, the added one among them", () => {
  expect(texts.map(({ name }) => name)).toEqual(expect.arrayContaining(["q", "pageToken"]));
});

test.each(Object.keys(encoders))("each text arrives in each parameter as sent, encoded by %s", async (encoder) => {
  for (const { name, path } of texts)
    for (const text of strange) {
      const { status, message } = await get(`${path}?${name}=${encoders[encoder]?.(text)}`);
      assert.equal(status, 404, `${name}=${text}: ${message}`);
      assert.equal(JSON.parse(message)[name], text);
    }
});

test("and so it does from our client", async () => {
  const client = createWebhooksClient({ baseUrl: server.url, apiKey: key });
  for (const text of strange) {
    const answered = await client.listWebhooks({ query: { pageToken: text } }).catch((error) => error.body.message);
    assert.equal(JSON.parse(answered).pageToken, text);
  }
});

test("bytes beyond ASCII, which Node would read as Latin-1, are no HTTP", async () => {
  expect(await get("/v1/webhooks?q=\u00e9")).toEqual({ status: 400, message: "The request must be valid HTTP." });
});

test.each([
  ["q=%zz", "q"],
  ["q=%", "q"],
  ["q=100%", "q"],
  ["q=%ff", "q"],
  ["q=%c3%28", "q"],
  ["q=%ed%a0%80", "q"],
  ["pageSize=1&q=a%2", "q"],
  ["q=a&pageToken=%e2%82", "pageToken"],
  ["%71=%zz", "q"],
  ["%zz=1", "%zz"],
  ["q=a#b", "q"],
])("?%s is a 400 that names %s", async (query, name) => {
  expect(await get(`/v1/webhooks?${query}`)).toEqual({
    status: 400,
    message: `${name} must be validly percent-encoded.`,
  });
});
