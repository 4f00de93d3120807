/** A page with Mock Service Worker: its client calls an address where nothing listens, and the mock answers within the page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeState, quotas } from "../client/stateful-suite.ts";
import { describeApi } from "../client/suite.ts";
import { bundleFor } from "../support/bundle.ts";
import { listeningBefore } from "../support/mock.ts";
import { installMsw, mswProject } from "../support/msw-project.ts";
import { openBrowser } from "./browser.ts";

const baseUrl = "https://api.example.com/base";

const entry = `
import { mswMock } from "chain-webhooks/msw";
import { createFetchReceiver } from "chain-webhooks/receiver";
import { http } from "msw";
import { setupWorker } from "msw/browser";
export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const received = [];
export let mock;
export const start = async (options) => {
  const deliver = createFetchReceiver({ secret, onNotification: ({ messageId }) => void received.push(messageId) });
  mock = mswMock({ http }, { deliver, ...options });
  await setupWorker(...mock.handlers).start({ quiet: true, onUnhandledRequest: "bypass" });
};
export const ask = async ({ url, method, headers, body }) => {
  const response = await fetch(url, { method, headers, body: body === null ? null : Uint8Array.from(body) });
  return { status: response.status, headers: [...response.headers], body: await response.text() };
};
`;

let browser: Awaited<ReturnType<typeof openBrowser>>;
let code: string;
beforeAll(async () => {
  [browser] = await Promise.all([openBrowser(), installMsw()]);
  ({ code } = await bundleFor(mswProject, entry, "front"));
});
afterAll(() => browser.close());

/** A page whose content security policy compiles nothing. */
async function openPage(options: object = {}) {
  const worker = readFileSync(join(mswProject, "node_modules/msw/lib/mockServiceWorker.js"));
  // As a development server would: on this machine service workers need no TLS.
  const { url, close } = await listeningBefore(async (request) => {
    const path = new URL(request.url).pathname;
    const headers = { "content-security-policy": "default-src 'self'; connect-src *" };
    const script = { headers: { ...headers, "content-type": "text/javascript" } };
    if (path === "/mockServiceWorker.js") return new Response(new Uint8Array(worker), script);
    if (path === "/front.js") return new Response(code, script);
    const html = '<!doctype html><title>front end</title><script src="/front.js"></script>';
    return new Response(html, { headers: { ...headers, "content-type": "text/html" } });
  }, "http://front.example.com");
  const page = await browser.newPage();
  await page.goto(url);
  await page.evaluate(`front.start(${JSON.stringify({ baseUrl, ...options })})`);
  return { page, close };
}

/** The page's answers, for the suites: a server passes their requests on to it. */
async function subject(options: object = {}) {
  const { page, close: closePage } = await openPage(options);
  const server = await listeningBefore(async (request) => {
    const { url, method } = request;
    const bytes = new Uint8Array(await request.arrayBuffer());
    // The browser sends its own.
    const headers = [...request.headers].filter(
      ([name]) => !/^(accept-encoding|accept-language|sec-|user-agent)/.test(name),
    );
    const asked = { url, method, headers, body: bytes.length === 0 ? null : [...bytes] };
    const answer = (await page.evaluate(`front.ask(${JSON.stringify(asked)})`)) as {
      status: number;
      headers: [string, string][];
      body: string;
    };
    return new Response(answer.body === "" ? null : answer.body, answer);
  }, baseUrl);
  const close = async () => {
    await server.close();
    await page.close();
    await closePage();
  };
  return { url: server.url, key: "any", close };
}

describeApi("the mock in a page with MSW", () => subject());
describeState("what was created, in a page with MSW", () => subject({ quotas }));

test("what is sent is signed, a failure is seen, and the page's receiver handles each notification", async () => {
  const { page, close } = await openPage();
  const script = `(async () => {
    const key = { "x-service-api-key": "any" };
    const metadata = { addresses: ["0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85"] };
    const body = JSON.stringify({ url: "https://example.com/hooks", chainId: "43114", eventType: "address_activity", metadata });
    const headers = { ...key, "content-type": "application/json" };
    await fetch("${baseUrl}/v1/webhooks", { method: "POST", headers, body });
    const [sent] = await front.mock.control.send({ example: "fungible-transfer" });
    front.mock.control.fail({ status: 503, retryAfter: 0 });
    const failed = (await fetch("${baseUrl}/v1/chains", { headers: key })).status;
    front.mock.control.fail({ reset: true });
    const cut = await fetch("${baseUrl}/v1/chains", { headers: key }).then(() => "answered", () => "cut");
    const after = (await fetch("${baseUrl}/v1/chains", { headers: key })).status;
    return { status: sent.answer.responseStatus, isReceived: front.received.includes(sent.messageId), failed, cut, after };
  })()`;
  expect(await page.evaluate(script)).toEqual({ status: 204, isReceived: true, failed: 503, cut: "cut", after: 200 });
  await page.close();
  await close();
});
