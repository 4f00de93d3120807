/** Pages of other origins: which may call the API, and what they may read of it. */
import { Agent, request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { operationTable } from "../../../generated/operations.ts";
import type { AppOptions } from "../../../server/api/app.ts";
import { readLimits } from "../../../server/settings/limits.ts";
import { type Api, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";

const ours = "https://app.example.com";
const id = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";

async function start(corsOrigins: AppOptions["corsOrigins"], more: Partial<AppOptions> = {}): Promise<Api> {
  const api = await startApi({ corsOrigins, ...more });
  onTestFinished(api.close);
  return api;
}

type Asked = { status: number; headers: Record<string, string | string[] | undefined> };

/** Sends what a browser sends. `fetch` would leave out the header `Origin`. */
function ask(api: Api, method: string, path: string, headers: Record<string, string>, setHost = true): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const asked = request(api.url + path, { method, headers, setHost, agent: new Agent() }, (response) => {
      response.resume();
      response.once("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    asked.once("error", reject).end();
  });
}
const preflight = (api: Api, path: string, method: string, origin = ours) =>
  ask(api, "OPTIONS", path, {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": "content-type,x-service-api-key",
  });
const names = (list: unknown) => String(list).toLowerCase().split(/, */);

test("without CORS_ORIGINS no page of another origin is let in", async () => {
  const api = await start(undefined);
  const asked = await preflight(api, "/v1/webhooks", "POST");
  expect(asked.status).toBe(401);
  const read = await ask(api, "GET", "/v1/chains", { origin: ours });
  for (const { headers } of [asked, read])
    expect(Object.keys(headers).filter((name) => /^(access-control|vary)/.test(name))).toEqual([]);
});

test("a preflight of every operation is answered without a key, and allows its method and headers", async () => {
  const api = await start([ours]);
  for (const { path, method } of Object.values(operationTable)) {
    const { status, headers } = await preflight(api, path.replace(/{\w+}/g, id), method.toUpperCase());
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      "access-control-allow-origin": ours,
      vary: "Origin",
      "access-control-max-age": "7200",
    });
    expect(names(headers["access-control-allow-methods"])).toContain(method);
    expect(names(headers["access-control-allow-headers"])).toEqual(
      expect.arrayContaining(["x-service-api-key", "content-type", "idempotency-key"]),
    );
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
  }
});

test("a page reads errors, too: without a key, over the limit, too busy, and not HTTP enough", async () => {
  const limits = { ...readLimits({ RATE_LIMIT_ADDRESS: "2" }), concurrentRequests: 0 };
  const busy = await start([ours], { limits });
  const api = await start([ours], { limits: { ...limits, concurrentRequests: 40 } });
  const answers = [
    await ask(busy, "GET", "/v1/webhooks", { origin: ours }),
    await ask(api, "GET", "/v1/webhooks", { origin: ours }),
    await ask(api, "GET", "/v1/webhooks/a/b", { origin: ours, "x-service-api-key": "wrong" }),
    await ask(api, "GET", "/v1/webhooks", { origin: ours }, false),
    await ask(api, "GET", "/v1/webhooks", { origin: ours }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([503, 401, 401, 400, 429]);
  for (const { headers } of answers) {
    expect(headers).toMatchObject({ "access-control-allow-origin": ours, vary: "Origin" });
    const exposed = names(headers["access-control-expose-headers"]);
    for (const name of ["retry-after", "ratelimit", "ratelimit-policy", "x-request-id", "location"])
      expect(exposed).toContain(name);
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
  }
});

test("an origin that is not listed is let in nowhere", async () => {
  const api = await start([ours]);
  const host = "app.example.com";
  for (const origin of [`${ours}.evil.test`, `http://${host}`, "https://APP.example.com", `${ours}:8443`, "null"]) {
    const { headers, status } = await ask(api, "GET", "/v1/chains", { origin });
    expect(status).toBe(200);
    expect(headers["access-control-allow-origin"], origin).toBeUndefined();
    expect(headers.vary).toBe("Origin");
    expect((await preflight(api, "/v1/webhooks", "POST", origin)).status).toBe(401);
  }
});

test("* lets any origin in, and OPTIONS that is no preflight is answered as before", async () => {
  const api = await start("*");
  const { headers } = await ask(api, "GET", "/v1/chains", { origin: "null" });
  expect(headers).toMatchObject({ "access-control-allow-origin": "*" });
  expect(headers.vary).toBeUndefined();
  assertError(await api.call("OPTIONS", "/v1/webhooks"), 405, "The method must be one of GET, HEAD, POST.");
});
