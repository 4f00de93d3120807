/** Every way in which a call can fail gives one kind of error, with a stable code and a sentence. */
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { createWebhooksClient, WebhooksError } from "../../client/index.ts";
import { createBody, id } from "./examples.ts";
import { apiError, hangUp, json, type Reply, serve, silence, text } from "./http-server.ts";

const apiKey = "sk_test_0123456789";

async function failureOf(call: Promise<unknown>): Promise<WebhooksError> {
  const outcome = await call.then(
    () => "resolved",
    (error: unknown) => error,
  );
  if (!(outcome instanceof WebhooksError)) throw new Error(`Not a WebhooksError: ${outcome}`);
  return outcome;
}

async function failureAfter(reply: Reply): Promise<WebhooksError> {
  const { baseUrl } = await serve(reply);
  const client = createWebhooksClient({ baseUrl, apiKey, maxRetries: 0, timeoutMs: 5_000 });
  return failureOf(client.getWebhook({ path: { id } }));
}

test.each([
  [400, "bad_request"],
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not_found"],
  [405, "method_not_allowed"],
  [409, "conflict"],
  [413, "content_too_large"],
  [415, "unsupported_media_type"],
  [429, "too_many_requests"],
  [500, "internal_server_error"],
  [502, "bad_gateway"],
  [503, "service_unavailable"],
  [418, "http_error"],
])("an answer of %i has the code %s, the service's sentence and the typed body", async (status, code) => {
  const error = await failureAfter(apiError(status));
  expect(error).toMatchObject({ name: "WebhooksError", code, status, operation: "getWebhook" });
  expect(error.body).toEqual({ message: `What was wrong with ${status}.`, statusCode: status, error: "Reason" });
  expect(error.message).toBe(`getWebhook failed with ${status} Reason: What was wrong with ${status}.`);
});

test("the contract's own example of an error is understood", async () => {
  const file = new URL("../../openapi/examples/error.404.json", import.meta.url);
  const { value } = JSON.parse(readFileSync(file, "utf8")) as { value: unknown };
  expect((await failureAfter(json(404, value))).body).toEqual(value);
});

test.each([
  ["an HTML 502 of a proxy", 502, "<html>Bad Gateway</html>", "bad_gateway"],
  ["an empty 503", 503, "", "service_unavailable"],
  ["broken JSON in a 404", 404, '{"message":', "not_found"],
  ["JSON of another shape in a 400", 400, '{"detail":"no"}', "bad_request"],
])("%s gives the code of its status and no body", async (_, status, body, code) => {
  const error = await failureAfter(text(status, body));
  expect(error).toMatchObject({ code, status, body: undefined });
  expect(error.message).toBe(`getWebhook failed with ${status} and an answer that is not of the contract's shape.`);
});

test.each([
  ["an empty body", 200, "", "its body is empty"],
  ["a 204", 204, "", "its body is empty"],
  ["an HTML page", 200, "<html>", "its body is not JSON"],
  ["JSON cut short", 200, '{"id":', "its body is not JSON"],
  ["a bare text", 200, '"ok"', "its body is not a JSON object"],
  ["null", 200, "null", "its body is not a JSON object"],
])("a success with %s is an invalid_response", async (_, status, body, what) => {
  const error = await failureAfter(text(status, body));
  expect(error).toMatchObject({ code: "invalid_response", status });
  expect(error.message).toBe(`getWebhook failed: the answer has the status ${status}, but ${what}.`);
});

test("a success that breaks off is a network_error", async () => {
  const error = await failureAfter((response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"id":', () => response.destroy());
  });
  expect(error).toMatchObject({ code: "network_error", cause: expect.any(Error) });
  expect(error.message).toMatch(/^getWebhook failed: the answer broke off.*\.$/);
});

test("an error answer that breaks off keeps its status", async () => {
  const error = await failureAfter((response) => {
    response.writeHead(500, { "content-length": "1000" });
    response.write('{"message":', () => response.destroy());
  });
  expect(error).toMatchObject({ code: "internal_server_error", status: 500, cause: expect.any(Error) });
});

test("a redirect is not followed, since it would carry the key elsewhere", async () => {
  const elsewhere = await serve(json(200, {}));
  const error = await failureAfter(text(307, "", { location: elsewhere.baseUrl }));
  expect(error).toMatchObject({ code: "http_error", status: 307 });
  expect(elsewhere.received).toEqual([]);
});

test("a browser's opaque redirect is reported as a redirect", async () => {
  const fetch = async () => Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
  const client = createWebhooksClient({ baseUrl: "https://service.test", apiKey, fetch });
  const error = await failureOf(client.listChains());
  expect(error).toMatchObject({ code: "http_error", status: undefined });
  expect(error.message).toBe("listChains failed: the answer is a redirect, which is not followed.");
});

test("a connection that is closed without an answer is a network_error", async () => {
  expect(await failureAfter(hangUp)).toMatchObject({ code: "network_error", status: undefined });
});

test("no answer within timeoutMs is a timeout", async () => {
  const { baseUrl } = await serve(silence);
  const client = createWebhooksClient({ baseUrl, apiKey, timeoutMs: 50, maxRetries: 0 });
  const error = await failureOf(client.listChains());
  expect(error).toMatchObject({ code: "timeout", message: "listChains failed: no whole answer came within 50 ms." });
});

test("an answer that begins in time but does not end in time is a timeout", async () => {
  const { baseUrl } = await serve((response) => response.writeHead(200).write("{"));
  const client = createWebhooksClient({ baseUrl, apiKey, timeoutMs: 100, maxRetries: 0 });
  expect(await failureOf(client.listChains())).toMatchObject({ code: "timeout" });
});

test("a fetch that ignores its signal is abandoned at the time limit", async () => {
  const fetch = () => new Promise<Response>(() => {});
  const client = createWebhooksClient({ baseUrl: "https://service.test", apiKey, fetch, timeoutMs: 20, maxRetries: 0 });
  expect(await failureOf(client.listChains())).toMatchObject({ code: "timeout" });
});

test("a refused connection is a network_error that names the system's code", async () => {
  const closed = createServer();
  const port = await new Promise((resolve) => {
    closed.listen(0, "127.0.0.1", () => {
      const address = closed.address();
      closed.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });
  const client = createWebhooksClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, maxRetries: 0 });
  const error = await failureOf(client.listChains());
  expect(error).toMatchObject({ code: "network_error", cause: expect.any(Error) });
  expect(error.message).toBe("listChains failed: no answer came from the service (ECONNREFUSED).");
});

test("a host that does not exist is a network_error", async () => {
  const client = createWebhooksClient({ baseUrl: "http://no-such-host.invalid", apiKey, maxRetries: 0 });
  expect(await failureOf(client.listChains())).toMatchObject({ code: "network_error", status: undefined });
});

test.each(["", ".", ".."])(
  "the path parameter %j is not sent, since it would address another resource",
  async (wrong) => {
    const { baseUrl, received } = await serve(json(200, {}));
    const error = await failureOf(createWebhooksClient({ baseUrl, apiKey }).deleteWebhook({ path: { id: wrong } }));
    expect(error).toMatchObject({ code: "invalid_request", status: undefined });
    expect(received).toEqual([]);
  },
);

test("a header that HTTP cannot carry is an invalid_request and is not tried again", async () => {
  const { baseUrl, received } = await serve(json(201, {}));
  const client = createWebhooksClient({ baseUrl, apiKey });
  const call = client.createWebhook({ body: createBody, headers: { "Idempotency-Key": "a\nb" } });
  expect(await failureOf(call)).toMatchObject({ code: "invalid_request" });
  expect(received).toEqual([]);
});

test("a body that cannot be written as JSON is an invalid_request", async () => {
  const client = createWebhooksClient({ baseUrl: "https://service.test", apiKey });
  const body = { ...createBody, name: 1n as unknown as string };
  expect(await failureOf(client.createWebhook({ body }))).toMatchObject({ code: "invalid_request" });
});
