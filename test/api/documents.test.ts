/** The contract and its page are served, to anyone. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const pages: [string, string, string][] = [
  ["/docs", "docs.html", "text/html; charset=utf-8"],
  ["/openapi.json", "openapi.json", "application/json; charset=utf-8"],
  ["/openapi.yaml", "openapi.yaml", "application/yaml; charset=utf-8"],
];
// Not by fetch, which unpacks answers and sends `cache-control: no-cache` along.
async function ask(path: string, headers: Record<string, string>, method = "GET") {
  const [response] = await once(request(api.url + path, { headers, method }).end(), "response");
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode, headers: response.headers, body };
}

test.each(pages)("%s is generated/%s, in the form that the client takes", async (path, file, type) => {
  const content = await readFile(`generated/${file}`);
  const forms = {
    "": { encoding: undefined, unpack: (body: Buffer) => body },
    identity: { encoding: undefined, unpack: (body: Buffer) => body },
    "gzip, deflate, br, zstd": { encoding: "br", unpack: brotliDecompressSync },
    "gzip, br;q=0": { encoding: "gzip", unpack: gunzipSync },
  };
  const tags = new Set<string>();
  for (const [accepted, { encoding, unpack }] of Object.entries(forms)) {
    const answer = await ask(path, { "accept-encoding": accepted });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ "content-type": type, vary: "accept-encoding" });
    expect(answer.headers["content-encoding"]).toBe(encoding);
    expect(answer.headers["content-length"]).toBe(String(answer.body.length));
    expect(unpack(answer.body).equals(content)).toBe(true);
    if (encoding) expect(answer.body.length).toBeLessThan(content.length / 3);
    tags.add(answer.headers.etag);
  }
  expect(tags.size).toBe(3);
});

test.each(pages)("%s is fetched once only while it stays the same", async (path) => {
  const first = await ask(path, { "accept-encoding": "br" });
  expect(first.headers["cache-control"]).toBe("public, max-age=300");
  const again = await ask(path, { "accept-encoding": "br", "if-none-match": first.headers.etag });
  expect(again).toMatchObject({ status: 304, headers: { etag: first.headers.etag, vary: "accept-encoding" } });
  expect(again.body.length).toBe(0);
  const head = await ask(path, { "accept-encoding": "br" }, "HEAD");
  expect(head.headers.etag).toBe(first.headers.etag);
  expect(head.headers["content-length"]).toBe(first.headers["content-length"]);
  expect(head.body.length).toBe(0);
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
