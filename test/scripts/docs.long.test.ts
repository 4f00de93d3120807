/** `npm run docs`: serves the page, and passes the API's requests on to a server, so that the page can try it. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterEach, expect, test } from "vitest";
import { run } from "../../scripts/command/commands/docs.ts";
import { passOnRequest } from "../../scripts/command/docs/pass-on.ts";
import { listen } from "../../server/api/listening/listen.ts";
import { send } from "../support/api.ts";
import { runHere, startChainWebhooks } from "../support/command.ts";
import { startMock } from "../support/mock.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function startPassingOn(server: string): Promise<string> {
  const { url, close } = await listen(express().use("/v1", passOnRequest(new URL(server))), { port: 0 });
  ends.push(close);
  return url;
}

test("it serves the page, and what is asked below /v1 the server answers, headers included", async () => {
  const mock = await startMock();
  ends.push(mock.close);
  const docs = await startChainWebhooks("docs", ["--port", "0", "--server", mock.url]);
  expect(await (await fetch(`${docs.url}/reference`)).text()).toContain("Try it");
  expect(docs.stdout()).toContain(`"Try it" calls ${mock.url}/`);

  const base = docs.url.replace(/\/docs$/, "");
  const body = { fromBlock: "1", toBlock: "2" };
  const path = "/v1/webhooks/6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a/replays";
  const made = await send(base + path, "POST", { key: "any", body });
  expect(made).toMatchObject({ status: 202, body: { status: "queued" } });
  expect(made.headers.get("location")).toMatch(/^\/v1\/webhooks\/.*\/replays\//);
  expect(await send(`${base}/v1/webhooks`, "GET", {})).toMatchObject({ status: 401, body: { statusCode: 401 } });
  for (const [path, status] of [
    ["/healthz", 404],
    ["/", 404],
    ["/%zz", 404],
    ["/v1", 404],
  ] as const)
    expect(await send(base + path, "GET", {})).toMatchObject({ status, body: { statusCode: status } });
  const large = { method: "POST", body: Buffer.alloc(3_000_000) };
  expect(await (await fetch(`${base}/v1/webhooks`, large)).json()).toMatchObject({ statusCode: 413 });
  expect(await docs.end("SIGTERM")).toBe(0);
});

test("method, path, query, headers and body arrive as they were sent, behind the path of the server's address", async () => {
  const seen: { request: IncomingMessage; body: string }[] = [];
  const target = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.push({ request, body });
    response.writeHead(418, "Tea", { "x-kept": "yes" }).end("short and stout");
  }).listen(0, "127.0.0.1");
  await once(target, "listening");
  ends.push(async () => target.close());
  const url = await startPassingOn(`http://127.0.0.1:${(target.address() as AddressInfo).port}/prefix/`);
  const headers = { "x-service-api-key": "k", "content-type": "application/json" };
  const answer = await fetch(`${url}/v1/a%2Fb?c=d&c=e`, { method: "DELETE", headers, body: '{ "x": 1 }' });
  expect([answer.status, answer.headers.get("x-kept"), await answer.text()]).toEqual([418, "yes", "short and stout"]);
  expect(seen).toHaveLength(1);
  expect(seen[0]?.request).toMatchObject({ method: "DELETE", url: "/prefix/v1/a%2Fb?c=d&c=e" });
  expect(seen[0]?.request.headers).toMatchObject(headers);
  expect(seen[0]?.body).toBe('{ "x": 1 }');
});

test("a server that does not answer is reported in the contract's shape", async () => {
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const { port } = gone.address() as AddressInfo;
  gone.close();
  const url = await startPassingOn(`http://127.0.0.1:${port}`);
  const message = expect.stringMatching(`^http://127.0.0.1:${port} did not answer: .+\\.$`);
  const body = { message, statusCode: 502, error: "Bad Gateway" };
  expect(await send(`${url}/v1/chains`, "GET", {})).toMatchObject({ status: 502, body });
});

test("a command that cannot be understood ends with exit code 2 and a sentence", async () => {
  expect(await runHere(run, ["--server", "127.0.0.1:3000"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--server must be an http or https URL\./),
  });
  expect((await runHere(run, ["--help"])).stdout).toContain("--server URL");
});
