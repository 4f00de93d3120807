/** The contract, its reference and the site of the guides are served, to anyone. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import express from "express";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { documents } from "../../server/api/documents.ts";
import { listen } from "../../server/api/listening/listen.ts";
import type { Periods } from "../../server/settings/periods.ts";
import { type Api, startApi } from "../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const pages: [string, string, string][] = [
  ["/openapi.json", "openapi.json", "application/json; charset=utf-8"],
  ["/openapi.yaml", "openapi.yaml", "application/yaml; charset=utf-8"],
];
// Not by fetch, which unpacks answers and sends `cache-control: no-cache` along.
async function ask(path: string, headers: Record<string, string>, method = "GET") {
  const [response] = await once(request(api.url + path, { headers, method }).end(), "response");
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode, headers: response.headers, body };
}

test.each(pages)("%s is generated/%s, in the encoding that the client accepts", async (path, file, type) => {
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

test("documents name the periods that the operator set, and differ from the published ones in nothing else", async () => {
  const periods = {
    timeoutMs: 1_000,
    retryPausesMs: [90_000, 3_600_000, 129_600_000, 172_800_000],
    inactiveAfterDays: 30,
    retentionDays: 10,
  };
  const texts = {
    "10 seconds": "1 second",
    "10 s, 1 min, 5 min, 10 min, 30 min, 2 h, 6 h, 12 h and 24 h": "90 s, 1 h, 36 h and 2 d",
    "5 days": "30 days",
    "30 days": "10 days",
  };
  const anyDefault = new RegExp(Object.keys(texts).join("|"), "g");
  const inOurs = (published: string) => published.replace(anyDefault, (text) => texts[text as keyof typeof texts]);
  const reference = "<p>Within 10 seconds.</p><script>show('within 10 seconds')</script>";
  const guide = "<p>Within 10 seconds, unless it is set.</p>";
  const script = 'draw("Within 10 seconds.")';
  const { url } = await serveSite(
    {
      "reference.html": reference,
      "reference/addressActivity.html": reference,
      "reference/addressActivity.md": "Within 10 seconds.",
      "assets/reference.md.a1.js": script,
      "assets/reference_addressActivity.md.a1.lean.js": script,
      "assets/delivery.md.a1.js": script,
      "delivery.html": guide,
      "index.html": "",
    },
    periods,
  );
  const stated = (await readFile("openapi/openapi.yaml", "utf8")).match(anyDefault)?.length ?? 0;
  for (const [path, file] of pages) {
    const published = await readFile(`generated/${file}`, "utf8");
    expect(published.match(anyDefault)).toHaveLength(stated);
    const response = await fetch(url + path);
    expect(await response.text()).toBe(inOurs(published));
    const asPublished = await fetch(api.url + path);
    expect(await asPublished.text()).toBe(published);
    expect(response.headers.get("etag")).not.toBe(asPublished.headers.get("etag"));
  }
  for (const path of ["/docs/reference", "/docs/reference/addressActivity"]) {
    const page = await fetch(url + path);
    expect(await page.text()).toBe(inOurs(reference));
    // Its scripts have changed with it, and may still be run.
    expect(page.headers.get("content-security-policy")).toContain(hashOf("show('within 1 second')"));
  }
  expect(await (await fetch(`${url}/docs/reference/addressActivity.md`)).text()).toBe("Within 1 second.");
  // What draws the page for a reader who goes on to it. It must not stay in a cache when the operator changes a period.
  for (const name of ["reference.md.a1.js", "reference_addressActivity.md.a1.lean.js"]) {
    const drawn = await fetch(`${url}/docs/assets/${name}`);
    expect([await drawn.text(), drawn.headers.get("cache-control")]).toEqual([inOurs(script), "public, max-age=300"]);
  }
  expect(await (await fetch(`${url}/docs/assets/delivery.md.a1.js`)).text()).toBe(script);
  expect(await (await fetch(`${url}/docs/delivery`)).text()).toBe(guide);
});

const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

test("a page may run its own scripts and no others, and ask only the service that it is from", async () => {
  const { url } = await serveSite({
    "index.html": "",
    "reference/getWebhook.html": '<script>1</script><p></p><script type="module">\n2</script>',
  });
  const policy = (await fetch(`${url}/docs/reference/getWebhook`)).headers.get("content-security-policy") ?? "";
  expect(Object.fromEntries(policy.split("; ").map((each) => each.split(/ (.*)/)))).toEqual({
    "default-src": "'none'",
    "script-src": `'self' ${hashOf("1")} ${hashOf("\n2")}`,
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
  });
});

/** The documents of a site with these files, on a server of their own. */
async function serveSite(
  files: Record<string, string>,
  periods?: Periods,
): Promise<{ url: string; site: string; build(files: Record<string, string>): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-site-"));
  const site = join(folder, "site");
  const build = async (given: Record<string, string>) => {
    for (const [name, text] of Object.entries(given)) {
      await mkdir(join(site, dirname(name)), { recursive: true });
      await writeFile(join(site, name), text);
    }
  };
  await build(files);
  const { router } = await documents({ site, periods });
  const server = await listen(express().use(router), { port: 0 });
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  return { url: server.url, site, build };
}

test("a file that could not be read is read again, and its error may not be cached", async () => {
  const { url, site } = await serveSite({ "index.html": "<h1>Guides</h1>", "llms.txt": "# Site" });
  const file = join(site, "llms.txt");
  await rm(file);
  const failed = await fetch(`${url}/llms.txt`);
  expect([failed.status, failed.headers.get("cache-control"), failed.headers.get("content-encoding")]).toEqual([
    500,
    null,
    null,
  ]);
  await writeFile(file, "# Site");
  const found = await fetch(`${url}/llms.txt`);
  expect([found.status, await found.text()]).toEqual([200, "# Site"]);
});

test("a site has its pages at /docs/, each with a policy for its own scripts, and assets that stay cached", async () => {
  const { url } = await serveSite({
    "index.html": '<script id="a">1</script><script src="/docs/assets/a.js"></script>',
    "receive.html": "<h1>Receive</h1>",
    "receive.md": "# Receive",
    "reference.html": "<h1>Reference</h1>",
    "llms.txt": "# Site",
    "assets/a.js": "export {};",
    "built-from": "hash",
  });
  const front = await fetch(`${url}/docs`);
  expect([front.url, front.status]).toEqual([`${url}/docs/`, 200]);
  const policy = front.headers.get("content-security-policy") ?? "";
  expect(policy).toContain(`script-src 'self' ${hashOf("1")}`);
  expect(policy).toMatch(/default-src 'none'.*connect-src 'self'.*frame-ancestors 'none'/);
  const seen = async (path: string) => {
    const { status, headers } = await fetch(url + path);
    return [status, headers.get("content-type"), headers.get("cache-control")];
  };
  const shortly = "public, max-age=300";
  expect(await seen("/docs/receive")).toEqual([200, "text/html; charset=utf-8", shortly]);
  expect(await seen("/docs/receive.md")).toEqual([200, "text/markdown; charset=utf-8", shortly]);
  expect(await seen("/llms.txt")).toEqual([200, "text/plain; charset=utf-8", shortly]);
  const forever = "public, max-age=31536000, immutable";
  expect(await seen("/docs/assets/a.js")).toEqual([200, "text/javascript; charset=utf-8", forever]);
  expect(await seen("/docs/reference")).toEqual([200, "text/html; charset=utf-8", shortly]);
  for (const path of ["/docs/built-from", "/docs/../package.json", "/docs/nothing", "/docs/receive/"])
    expect((await seen(path))[0], path).toBe(404);
});

test("a checkout without a site says how to build it, and has it once it is built", async () => {
  const { url, build } = await serveSite({});
  for (const path of ["/docs", "/docs/", "/docs/reference", "/docs/quick-start"]) {
    const { status, headers, text } = await seenAt(url + path);
    expect([status, headers.get("cache-control"), headers.get("content-security-policy")]).toEqual([
      503,
      "no-store",
      "default-src 'none'",
    ]);
    expect(text).toContain("Run <code>npm run docs:build</code>");
    // Whoever waits for it sees it without doing anything.
    expect(text).toContain('<meta http-equiv="refresh" content="3">');
  }
  for (const path of ["/docsx", "/llms.txt"]) expect((await fetch(url + path)).status).toBe(404);
  expect((await fetch(`${url}/docs/`, { method: "POST" })).status).toBe(405);
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200);

  await build({ "index.html": "<h1>Guides</h1>", "reference.html": "<h1>Reference</h1>", "llms.txt": "# Site" });
  expect(await seenAt(`${url}/docs`)).toMatchObject({ status: 200, text: "<h1>Guides</h1>" });
  expect(await seenAt(`${url}/docs/reference`)).toMatchObject({ status: 200, text: "<h1>Reference</h1>" });
  expect((await fetch(`${url}/docs/quick-start`)).status).toBe(404);
  expect((await fetch(`${url}/llms.txt`)).status).toBe(200);
});

async function seenAt(url: string) {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test("/healthz reports up and /readyz reports ready", async () => {
  expect(await (await fetch(`${api.url}/healthz`)).json()).toEqual({ status: "up" });
  expect(await (await fetch(`${api.url}/readyz`)).json()).toMatchObject({ status: "ready" });
});
