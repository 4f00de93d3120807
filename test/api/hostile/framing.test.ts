/** Bytes that are no HTTP, or HTTP that two readers could cut in two ways: refused, and nothing of them is done. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { newWebhook } from "../../support/api.ts";
import { exchange } from "../../support/raw-http.ts";
import { openScene, request, type Scene } from "./scene.ts";

let scene: Scene;
let key: string;
beforeAll(async () => {
  scene = await openScene();
  key = `x-service-api-key: ${scene.api.keys.both}`;
});
afterAll(() => scene.api.close());

const json = "content-type: application/json";
const body = JSON.stringify(newWebhook());
const refusal = (bytes: Buffer | string) => scene.refusal(bytes);

test.each([
  ["nonsense", "NONSENSE\r\n\r\n"],
  ["no version", "GET /v1/chains\r\nhost: a\r\n\r\n"],
  ["HTTP/2 begun", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["HTTP/9.9", "GET /v1/chains HTTP/9.9\r\nhost: a\r\n\r\n"],
  ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ["a space before the colon", "GET /v1/chains HTTP/1.1\r\nhost : a\r\n\r\n"],
  ["a header without a name", "GET /v1/chains HTTP/1.1\r\nhost: a\r\n: b\r\n\r\n"],
  ["NUL in a header", "GET /v1/chains HTTP/1.1\r\nhost: a\r\nx: a\0b\r\n\r\n"],
  ["a bare CR in a header", "GET /v1/chains HTTP/1.1\r\nhost: a\r\nx: a\rset-cookie: b\r\n\r\n"],
  ["NUL in the path", "GET /v1/\0 HTTP/1.1\r\nhost: a\r\n\r\n"],
  [
    "bytes beyond ASCII in the path",
    Buffer.from("GET /v1/webhooks/\xff\xfe HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n", "latin1"),
  ],
  ["no host", "GET /v1/chains HTTP/1.1\r\nconnection: close\r\n\r\n"],
  ["a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n"],
  ["an unknown method", "FETCH /v1/chains HTTP/1.1\r\nhost: a\r\n\r\n"],
  ["two hosts", "GET /v1/chains HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n"],
  ["a half request", "GET /v1/cha"],
])("%s is a 4xx", async (_, bytes) => {
  expect(await refusal(bytes)).toMatch(/^4\d\d /);
});

test.each([
  "http://[/v1/webhooks",
  "http://",
  "http://a:b/v1/webhooks",
  "ftp://a/v1/webhooks",
  "*",
  "//[",
  "//[/v1/webhooks",
  "/%5B?[#[",
  "/\\",
  "/v1/webhooks#[",
  "/;http://[",
])("the target %s is answered in the contract's shape", async (target) => {
  for (const method of ["GET", "OPTIONS", "POST"])
    expect(await refusal(`${method} ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)).toMatch(/^4\d\d /);
});

test("a target that is a whole URL, as proxies send it, is its path", async () => {
  for (const target of ["http://example.com/v1/chains", "HTTPS://example.com:1/v1/chains?"]) {
    const bytes = `GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`;
    const [reply] = await exchange(scene.api.url, Buffer.from(bytes), scene.isBusy);
    expect(reply?.status).toBe(200);
  }
});

test("the error of a pipelined request follows the answers before it", async () => {
  const good = "GET /v1/chains HTTP/1.1\r\nhost: a\r\n\r\n";
  const replies = await exchange(
    scene.api.url,
    Buffer.from(`${good}${good}GET /v1/chains HTTP/1.1\r\n\r\n${good}`),
    scene.isBusy,
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 400]);
});

const chunked = "transfer-encoding: chunked";
const framed = (headers: string[], rest: string) =>
  request("POST /v1/webhooks", { headers: [key, json, ...headers] }).toString("latin1") + rest;

test.each<[string, string[], string]>([
  ["a length and chunks", ["content-length: 5", chunked], `5\r\n{"a":\r\n0\r\n\r\n`],
  ["two lengths", ["content-length: 2", "content-length: 3"], "{}x"],
  ["a negative length", ["content-length: -1"], "{}"],
  ["a length in words", ["content-length: two"], "{}"],
  ["a length beyond all numbers", [`content-length: ${"9".repeat(40)}`], "{}"],
  ["a length with a sign", ["content-length: +2"], "{}"],
  ["a length that is longer than the body", ["content-length: 1000"], body],
  ["a length that is shorter than the body", [`content-length: ${body.length - 1}`], body],
  ["a chunk of no size", [chunked], "zz\r\n{}\r\n0\r\n\r\n"],
  ["a chunk of negative size", [chunked], "-1\r\n{}\r\n0\r\n\r\n"],
  ["a chunk of endless size", [chunked], `${"f".repeat(17)}\r\n{}`],
  ["a chunk that is too long", [chunked], "1\r\n{}\r\n0\r\n\r\n"],
  ["a chunk that is never there", [chunked], "ff\r\n{}"],
  ["chunks without an end", [chunked], `${body.length.toString(16)}\r\n${body}\r\n`],
  ["chunks twice", [`${chunked}, chunked`], "2\r\n{}\r\n0\r\n\r\n"],
  ["chunks in disguise", ["transfer-encoding: xchunked"], "2\r\n{}\r\n0\r\n\r\n"],
  ["chunks, then packed", ["transfer-encoding: chunked, gzip"], "2\r\n{}\r\n0\r\n\r\n"],
])("a body with %s is refused", async (_, headers, rest) => {
  expect(await refusal(framed(headers, rest))).toMatch(/^4\d\d /);
});

test("a request hidden in another's body is refused and has no effect", async () => {
  const hidden = request(`DELETE /v1/webhooks/${scene.id}`, { headers: [key] }).toString("latin1");
  const lines = [key, json, "content-length: 0", chunked];
  expect(await refusal(framed(lines, `0\r\n\r\n${hidden}`))).toMatch(/^400 /);
});

test("a request and rubbish behind it: the one is answered, the other refused", async () => {
  const good = "GET /v1/chains HTTP/1.1\r\nhost: a\r\n\r\n";
  const replies = await exchange(scene.api.url, Buffer.from(`${good}${good}\0\0\0\0`), scene.isBusy);
  for (const { status } of replies) expect([200, 400]).toContain(status);
  await scene.assertUnhurt();
});
