/** The mock in a page, which is no server, next to the mock and the service: a client must find no difference. */
import { expect, onTestFinished, test } from "vitest";
import { type MswOptions, mswMock } from "../../scripts/command/mock/page/msw.ts";
import { describeState, quotas } from "../client/stateful-suite.ts";
import { describeApi } from "../client/suite.ts";
import { newWebhook } from "../support/api.ts";
import { http, startMock, startPageMock } from "../support/mock.ts";

describeApi("the mock in a page", async () => ({ ...(await startPageMock()), key: "any" }));
describeState("what was created, in the mock in a page", async () => ({
  ...(await startPageMock({ quotas })),
  key: "any",
}));

const id = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const json = { "content-type": "application/json" };
const deep = `{"url":${"[".repeat(300)}${"]".repeat(300)}}`;

/** What few clients send. */
const odd: readonly (readonly [string, { key?: string; body?: unknown; headers?: Record<string, string> }])[] = [
  ["GET /v1/webhooks?pageSize=1&pageSize=2", {}],
  ["GET /v1/webhooks?status=active&status=inactive", {}],
  ["GET /v1/webhooks?pageSize=1e1", {}],
  ["GET /v1/webhooks?pageSize=101&status=paused", {}],
  ["GET /v1/webhooks?pageToken=", {}],
  ["GET /v1/webhooks?[a]=1", {}],
  ["GET /v1/webhooks?a=%zz", {}],
  [`GET /v1/webhooks?pageToken=${"x".repeat(600)}`, {}],
  ["GET /v1/webhooks?pageToken=%00", {}],
  [`GET /v1/webhooks/${id}/notifications?afterSequence=-1&pageSize=201`, {}],
  [`GET /v1/webhooks/${id}/notifications?afterSequence=99999999999999999999`, {}],
  [`GET /v1/webhooks/x/notifications/y?colour=red`, {}],
  [`GET /v1/webhooks/x/notifications/y`, {}],
  ["GET /v1", {}],
  ["GET /nothing", {}],
  ["PUT /v1/chains", { body: {} }],
  ["PUT /v1/webhooks/x", { body: {} }],
  [`GET /v1/webhooks/${id}/explain?txHash=0x${"1".repeat(64)}`, {}],
  ["POST /v1/webhooks", { body: newWebhook(), headers: { "Idempotency-Key": "" } }],
  ["POST /v1/webhooks", { body: newWebhook(), headers: { "Idempotency-Key": "x".repeat(256) } }],
  ["POST /v1/webhooks", { body: newWebhook({ url: "http://[" }) }],
  ["POST /v1/webhooks", { body: newWebhook({ url: "https://example.com:25/" }) }],
  ["POST /v1/webhooks", { body: newWebhook({ url: `https://example.com/${"x".repeat(3_000)}` }) }],
  ["POST /v1/webhooks", { body: newWebhook({ chainId: "01", eventType: "x", name: "\u0000", colour: 1, size: 2 }) }],
  ["POST /v1/webhooks", { body: newWebhook({ metadata: { addresses: ["0x1", 2], colour: 1 } }) }],
  ["POST /v1/webhooks", { body: newWebhook({ metadata: { conditions: { all: [{ field: "x" }] } } }) }],
  ["POST /v1/webhooks", { body: newWebhook({ metadata: { anyAddress: true } }) }],
  ["POST /v1/webhooks", { body: newWebhook({ metadata: { abi: [{ type: "event", name: "1", inputs: [] }] } }) }],
  ["POST /v1/webhooks", { body: newWebhook({ finality: { confirmations: 0 } }) }],
  ["POST /v1/webhooks", { body: '{"url":"a","url":"b"}' }],
  ["POST /v1/webhooks", { body: '{"url":"\\ud800"}' }],
  ["POST /v1/webhooks", { body: "\ufeff[]" }],
  ["POST /v1/webhooks", { body: deep }],
  ["POST /v1/webhooks", { body: "x", headers: { ...json, "content-encoding": "gzip" } }],
  ["POST /v1/webhooks/preview", { body: newWebhook({ blockNumber: "1".repeat(20) }) }],
  [`POST /v1/webhooks/${id}/replays`, { body: { fromBlock: "3", toBlock: "2" } }],
  [`PATCH /v1/webhooks/${id}`, { body: { status: "paused", url: 7 } }],
  ["GET /v1/webhooks", { headers: { prefer: "code=418" } }],
  ["GET /v1/webhooks", { key: "", headers: { "x-api-key": "k" } }],
];

test("what is odd is answered as by the mock, in its own words", async () => {
  const [mock, page] = await Promise.all([startMock(), startPageMock()]);
  onTestFinished(async () => {
    await mock.close();
    await page.close();
  });
  const kept = ["allow", "cache-control", "content-type", "location", "retry-after", "www-authenticate"];
  for (const [line, call] of odd) {
    const [method = "", path = ""] = line.split(" ");
    const [wanted, found] = [await mock.call(method, path, call), await page.call(method, path, call)];
    const shown = ({ status, headers, body }: typeof wanted) => [
      line,
      call,
      status,
      body,
      kept.map((name) => headers.get(name)),
    ];
    expect(shown(found)).toEqual(shown(wanted));
  }
});

test("without deliver nothing is sent, and the record says so; with it, each notification is a signed request", async () => {
  const calls: Request[] = [];
  const deliver = (request: Request) => {
    calls.push(request);
    return new Response(null, { status: 204 });
  };
  for (const options of [{}, { deliver }]) {
    const mock = await startPageMock({ ...{ deliver: undefined as never }, ...options });
    onTestFinished(() => mock.close());
    await mock.call("POST", "/v1/webhooks", { body: newWebhook() });
    const [sent] = await mock.control.send({ example: "native-transfer" });
    expect(sent?.answer).toMatchObject(
      "deliver" in options ? { responseStatus: 204 } : { errorClass: "blocked_address" },
    );
  }
  expect(calls.map(({ url, method }) => [method, url])).toContainEqual(["POST", "https://example.com/hook"]);
});

test.each([
  [{ baseUrl: "/api" }, "baseUrl must be a URL such as https://api.example.com, without a query."],
  [{ baseUrl: "https://a.example", baseURL: "" }, /^baseURL is no option/],
  [
    { baseUrl: "https://a.example", deliver: "fetch" },
    "deliver must be a function from a Request to a Response, such as fetch.",
  ],
  [{ baseUrl: "https://a.example", retryPauseMs: -1 }, "retryPauseMs must be a whole number from 0 to 86400000."],
])("%o is refused", (options, message) => {
  expect(() => mswMock({ http }, options as unknown as MswOptions)).toThrow(message);
});
