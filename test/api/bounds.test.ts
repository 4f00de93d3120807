/** Whatever is too large, too long or too many is refused, with the status and the words that the contract has for it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, address, newWebhook, startApi } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";
import { sendRaw } from "../support/raw-http.ts";

let api: Api;
let id: string;
beforeAll(async () => {
  api = await startApi();
  id = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body.id;
});
afterAll(() => api.close());

const list = <T>(length: number, make: (n: number) => T) => Array.from({ length }, (_, n) => make(n));
const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
const create = (changes: Record<string, unknown>) => ({
  method: "POST",
  path: "/v1/webhooks",
  body: newWebhook(changes),
});
const get = (path: string, headers: Record<string, string> = {}) => ({ method: "GET", path, headers });
const addresses = (count: number) => list(count, address);

type Bound = { method: string; path: string; body?: unknown; headers?: Record<string, string> };

// Of each bound what is just within it, and what is just beyond.
const bounds: [
  what: string,
  within: (id: string) => Bound,
  beyond: (id: string) => Bound,
  status: 400 | 413 | 414 | 431,
  message: RegExp,
][] = [
  [
    "a body",
    () => create({ description: "x" }),
    () => create({ description: "x".repeat(1_048_576) }),
    413,
    /^The body must be at most 1 MiB\.$/,
  ],
  [
    "a URL",
    () => get(`/nothing?${"x".repeat(8_192 - 9)}`),
    () => get(`/nothing?${"x".repeat(8_192 - 8)}`),
    414,
    /^The URL must be at most 8 KiB\.$/,
  ],
  [
    "the headers",
    () => get("/nothing", { x: "y".repeat(15_000) }),
    () => get("/nothing", { x: "y".repeat(17_000) }),
    431,
    /at most 16 KiB/,
  ],
  [
    "addresses of a creation",
    () => create({ metadata: { addresses: addresses(10_000) } }),
    () => create({ metadata: { addresses: addresses(10_001) } }),
    400,
    /^metadata\.addresses must have at most 10000 items\.$/,
  ],
  [
    "addresses to add",
    (of) => ({ method: "PATCH", path: `/v1/webhooks/${of}/addresses`, body: { addresses: addresses(10_000) } }),
    (of) => ({ method: "PATCH", path: `/v1/webhooks/${of}/addresses`, body: { addresses: addresses(10_001) } }),
    400,
    /^addresses must have at most 10000 items\.$/,
  ],
  [
    "addresses to remove",
    (of) => ({ method: "DELETE", path: `/v1/webhooks/${of}/addresses`, body: { addresses: addresses(10_000) } }),
    (of) => ({ method: "DELETE", path: `/v1/webhooks/${of}/addresses`, body: { addresses: addresses(10_001) } }),
    400,
    /^addresses must have at most 10000 items\.$/,
  ],
  [
    "no addresses",
    () => create({ metadata: { addresses: addresses(1) } }),
    () => create({ metadata: { addresses: [] } }),
    400,
    /^metadata\.addresses must have at least 1 item\.$/,
  ],
  [
    "event signatures",
    () => create({ metadata: { addresses: addresses(1), eventSignatures: list(10, hash) } }),
    () => create({ metadata: { addresses: addresses(1), eventSignatures: list(1_001, hash) } }),
    400,
    /^metadata\.eventSignatures must have at most \d+ items\.$/,
  ],
  [
    "a large page",
    () => get("/v1/webhooks?pageSize=100"),
    () => get("/v1/webhooks?pageSize=101"),
    400,
    /^pageSize must be at most 100\.$/,
  ],
  [
    "a small page",
    () => get("/v1/webhooks?pageSize=1"),
    () => get("/v1/webhooks?pageSize=0"),
    400,
    /^pageSize must be at least 1\.$/,
  ],
  [
    "a page of addresses",
    (of) => get(`/v1/webhooks/${of}/addresses?pageSize=1`),
    (of) => get(`/v1/webhooks/${of}/addresses?pageSize=1000000`),
    400,
    /^pageSize must be at most \d+\.$/,
  ],
  [
    "a page of notifications",
    (of) => get(`/v1/webhooks/${of}/notifications?pageSize=1`),
    (of) => get(`/v1/webhooks/${of}/notifications?pageSize=1000000`),
    400,
    /^pageSize must be at most \d+\.$/,
  ],
  [
    "a webhook's url",
    () => create({ url: "https://example.com/hook" }),
    () => create({ url: `https://example.com/${"x".repeat(10_000)}` }),
    400,
    /^url must have at most \d+ characters\.$/,
  ],
  [
    "a name",
    () => create({ name: "x" }),
    () => create({ name: "x".repeat(10_000) }),
    400,
    /^name must have at most \d+ characters\.$/,
  ],
  [
    "a key of idempotency",
    () => ({ ...create({}), headers: { "idempotency-key": "k" } }),
    () => ({ ...create({}), headers: { "idempotency-key": "k".repeat(1_000) } }),
    400,
    /idempotency-key must have at most \d+ characters/i,
  ],
];

test.each(bounds)("%s has a bound: within is served, beyond is refused", async (_, within, beyond, status, message) => {
  const send = ({ method, path, ...call }: Bound) => api.call(method, path, call);
  const refusals: number[] = [400, 413, 414, 431];
  expect(refusals).not.toContain((await send(within(id))).status);
  assertError(await send(beyond(id)), status, message);
});

const unreadable: [what: string, bytes: string, status: 400 | 414 | 431, message: RegExp][] = [
  ["no HTTP", "NONSENSE\r\n\r\n", 400, /^The request must be valid HTTP\.$/],
  ["a method that there is not", "BREW /v1/chains HTTP/1.1\r\nhost: a\r\n\r\n", 400, /valid HTTP/],
  ["another version", "GET /v1/chains HTTP/9.9\r\nhost: a\r\n\r\n", 400, /valid HTTP/],
  ["a space in the path", "GET /v1/ch ains HTTP/1.1\r\nhost: a\r\n\r\n", 400, /valid HTTP/],
  ["no host", "GET /v1/chains HTTP/1.1\r\n\r\n", 400, /^The header host is required\.$/],
  ["a header without a name", "GET /v1/chains HTTP/1.1\r\nhost: a\r\n: b\r\n\r\n", 400, /valid HTTP/],
  ["a NUL in a header", "GET /v1/chains HTTP/1.1\r\nhost: a\r\nx: a\0b\r\n\r\n", 400, /valid HTTP/],
  [
    "two lengths",
    "POST /v1/webhooks HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}",
    400,
    /valid HTTP/,
  ],
  [
    "a length and chunks",
    "POST /v1/webhooks HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    400,
    /valid HTTP/,
  ],
  ["a length that is none", "POST /v1/webhooks HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n", 400, /valid HTTP/],
  [
    "a tunnel",
    "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n",
    400,
    /^The method must not be CONNECT\.$/,
  ],
  [
    "a long line",
    `GET /${"x".repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
    431,
    /^The request line and headers must be at most 16 KiB\.$/,
  ],
  ["a long URL", `GET /${"x".repeat(9_000)} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`, 414, /8 KiB/],
  ["many headers", `GET / HTTP/1.1\r\nhost: a\r\n${"x-header: value\r\n".repeat(2_000)}\r\n`, 431, /16 KiB/],
];

test.each(unreadable)("%s is refused in the shape of every error", async (_, bytes, status, message) => {
  assertError(await sendRaw(api.url, bytes), status, message);
});

test("other values of Expect are ignored", async () => {
  const reply = await sendRaw(
    api.url,
    "GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\nconnection: close\r\n\r\n",
  );
  expect(reply.status).toBe(200);
});
