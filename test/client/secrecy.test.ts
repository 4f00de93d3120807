/** The API key is in the request's header and nowhere else: not in the client, and not in what it throws. */
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { createBody, id } from "./examples.ts";
import { hangUp, json, type Reply, serve, text } from "./http-server.ts";

const apiKey = "sk_live_4f9c2a7be1";

/** Everything that a log could show of a value. */
function shown(value: unknown): string {
  const error = value instanceof Error ? `${value.message}\n${value.stack}\n${value}` : "";
  return `${error}\n${JSON.stringify(value)}\n${inspect(value, { depth: null, showHidden: true, getters: true })}`;
}

test("the client does not show it", () => {
  const client = createWebhooksClient({ baseUrl: "https://service.test", apiKey });
  expect(shown(client)).not.toContain(apiKey);
});

const echo: Reply = (response, request) => {
  const key = request.headers["x-service-api-key"];
  json(401, { message: `The key ${key} is unknown.`, statusCode: 401, error: `No ${key}` })(response, request);
};

test.each<[string, Reply]>([
  ["an error answer that repeats it", echo],
  ["an error answer of another shape that repeats it", json(500, { key: apiKey })],
  ["an HTML page that repeats it", text(502, `<p>${apiKey}</p>`)],
  ["a success that is not JSON and begins with it", text(200, `${apiKey} is not JSON`)],
  ["a lost connection", hangUp],
])("the error after %s does not show it", async (_, reply) => {
  const { baseUrl } = await serve(reply);
  const client = createWebhooksClient({ baseUrl, apiKey, maxRetries: 0 });
  const error = await client.createWebhook({ body: createBody }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(shown(error)).not.toContain(apiKey);
  expect(shown(error)).not.toContain("sk_live");
});

test("an error of a fetch that quotes its headers does not show it", async () => {
  const fetch = async (request: Request) => {
    throw new TypeError("proxy refused", { cause: new Error(`headers: ${[...request.headers].join()}`) });
  };
  const client = createWebhooksClient({ baseUrl: "https://service.test", apiKey, fetch, maxRetries: 0 });
  const error = await client.getWebhook({ path: { id } }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "network_error", cause: new Error("proxy refused") });
  expect(shown(error)).not.toContain(apiKey);
});

test("a key that HTTP cannot carry is refused without being shown", () => {
  const make = () => createWebhooksClient({ baseUrl: "https://service.test", apiKey: `${apiKey}\n` });
  expect(make).toThrow(TypeError);
  expect(make).not.toThrow(apiKey);
});
