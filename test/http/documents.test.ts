/** The contract and its page are served, to anyone. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test.each([
  ["/docs", "docs.html", "text/html; charset=utf-8"],
  ["/openapi.json", "openapi.json", "application/json; charset=utf-8"],
  ["/openapi.yaml", "openapi.yaml", "application/yaml; charset=utf-8"],
])("%s is generated/%s, and fetched once only while it stays the same", async (path, file, type) => {
  const response = await fetch(api.url + path);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe(type);
  expect(await response.text()).toBe(await readFile(`generated/${file}`, "utf8"));
  const etag = response.headers.get("etag") ?? "";
  // Not by fetch, which sends `cache-control: no-cache` along.
  const [again] = await once(get(api.url + path, { headers: { "if-none-match": etag } }), "response");
  expect(again.statusCode).toBe(304);
  const head = await fetch(api.url + path, { method: "HEAD" });
  expect(head.headers.get("etag")).toBe(etag);
});

test("the page may run its own scripts and no others, and talk to this service only", async () => {
  const response = await fetch(`${api.url}/docs`);
  const policy = response.headers.get("content-security-policy") ?? "";
  const scripts = [...(await response.text()).matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, code]) => code ?? "");
  expect(scripts.length).toBeGreaterThan(0);
  for (const code of scripts)
    expect(policy).toContain(`'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  expect(policy).toMatch(/default-src 'none'.*connect-src 'self'/);
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
});

test("the process says that it is up and that it is ready", async () => {
  expect(await (await fetch(`${api.url}/healthz`)).json()).toEqual({ status: "up" });
  expect(await (await fetch(`${api.url}/readyz`)).json()).toMatchObject({ status: "ready" });
});
