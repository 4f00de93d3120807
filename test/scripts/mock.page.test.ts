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
  [`GET /v1/webhooks?${"&".repeat(1_000)}pageSize=ten`, {}],
  ["GET /v1/webhooks??", {}],
  ["GET /v1/webhooks??pageSize=1", {}],
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
  ["POST /_mock/failures", { body: "null" }],
  ["POST /_mock/failures", { body: '"x"' }],
  ["POST /_mock/failures", { body: "{" }],
  ["POST /_mock/failures", { body: "{}", headers: { "content-type": "application/json; charset=latin1" } }],
  ["POST /_mock/failures", { body: "{}", headers: { "content-type": 'application/json; charset="UTF-8"' } }],
  ["POST /_mock/failures", { body: "{}", headers: { "content-type": "text/plain" } }],
  ["POST /_mock/failures", { body: "x", headers: { ...json, "content-encoding": "gzip" } }],
  ["POST /_mock/failures", { body: "x", headers: { ...json, "content-encoding": "x" } }],
  ["GET /v1/webhooks", { headers: { "if-none-match": "*" } }],
  ["GET /v1/webhooks", { headers: { prefer: "code=418" } }],
  ["GET /v1/webhooks", { key: "", headers: { "x-api-key": "k" } }],
];

test("what is odd is answered as by the mock, in its own words", async () => {
  const [mock, page] = await Promise.all([startMock(), startPageMock()]);
  onTestFinished(async () => {
    await mock.close();
    await page.close();
  });
  const compared = ["allow", "cache-control", "content-type", "location", "retry-after", "www-authenticate"];
  for (const [line, call] of odd) {
    const [method = "", path = ""] = line.split(" ");
    const [wanted, found] = [await mock.call(method, path, call), await page.call(method, path, call)];
    const shown = ({ status, headers, body }: typeof wanted) => [
      line,
      call,
      status,
      body,
      compared.map((name) => headers.get(name)),
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

/** Makes the page's mock, without a server in front, and calls it. */
function pageAt(baseUrl: string, options: Omit<MswOptions, "baseUrl"> = {}) {
  const said: string[] = [];
  const { handlers, ...mock } = mswMock({ http }, { onLine: (line) => void said.push(line), ...options, baseUrl });
  onTestFinished(() => mock.stop());
  const call = async (url: string, init: RequestInit = {}) => {
    const request = new Request(url, { headers: { "x-service-api-key": "any", ...json }, ...init });
    return handlers.find(({ path }) => path.test(request.url))?.resolver({ request });
  };
  const create = (changes: Record<string, unknown> = {}) =>
    call(`${baseUrl}/v1/webhooks`, { method: "POST", body: JSON.stringify(newWebhook(changes)) });
  return { ...mock, said, call, create };
}

test("what is packed is unpacked up to its limit, by the control, too", async () => {
  const { call } = pageAt("https://a.example");
  const pack = async (text: string) =>
    new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
  const packed = async (path: string, text: string) => {
    const headers = { "x-service-api-key": "any", ...json, "content-encoding": "gzip" };
    return (await call(`https://a.example${path}`, { method: "POST", headers, body: await pack(text) }))?.status;
  };
  expect(await packed("/_mock/failures", '{"status":429}')).toBe(200);
  expect(await packed("/_mock/failures", " ".repeat(20_000))).toBe(413);
  expect(await packed("/v1/webhooks", " ".repeat(30_000_000))).toBe(413);
  expect(await packed("/v1/webhooks/preview", "{")).toBe(400);
});

test("a body that breaks off is answered as by a connection that does", async () => {
  const { call } = pageAt("https://a.example");
  for (const path of ["/v1/webhooks", "/_mock/failures"]) {
    const body = new ReadableStream({ pull: () => Promise.reject(new Error("no more")) });
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    expect((await call(`https://a.example${path}`, init))?.type).toBe("error");
  }
});

test.each(["https://a.example/a+(b)[c]{d}|^$.*//", "HTTPS://A.example:443/%zz", "http://[::1]:3000"])(
  "%s is a base",
  async (baseUrl) => {
    const { call } = pageAt(baseUrl);
    expect((await call(`${baseUrl.replace(/\/+$/, "")}/v1/chains`))?.status).toBe(200);
    expect(await call("https://a.example.com/v1/chains")).toBeUndefined();
  },
);

const endless = () =>
  new ReadableStream({ pull: (stream) => stream.enqueue(new TextEncoder().encode("€".repeat(500))) });
const broken = () => new ReadableStream({ pull: () => Promise.reject(new Error("broken off")) });
const kept = `${"€".repeat(341)}\uFFFD`;

test.each<[string, () => unknown, object, RegExp?]>([
  ["a 2xx, whatever becomes of its body", () => new Response(broken()), { responseStatus: 200 }],
  [
    "another status, whose body breaks off",
    () => new Response(broken(), { status: 500 }),
    failed(500, "connection_reset"),
  ],
  ["a body without end", () => new Response(endless()), { responseStatus: 200, responseBody: kept }],
  ["a failure without end", () => new Response(endless(), { status: 500 }), { ...failed(500), responseBody: kept }],
  ["a redirection", () => Response.redirect("https://b.example"), failed(302)],
  ["a network error", () => Response.error(), { errorClass: "connection_reset" }],
  ["nothing", () => undefined, { errorClass: "invalid_response" }, /undefined, which is no Response/],
  ["an error", () => Promise.reject(new TypeError("x is not")), { errorClass: "connection_reset" }, /failed: x is not/],
])("deliver answers with %s", async (_, deliver, outcome, line) => {
  const { create, control, said } = pageAt("https://a.example", { deliver: deliver as () => Response });
  await create();
  const [sent] = await control.send({ example: "native-transfer" });
  expect(sent?.answer).toEqual({ sentAt: expect.any(Number), durationMs: expect.any(Number), ...outcome });
  if (line) expect(said).toContainEqual(expect.stringMatching(line));
  else expect(said.filter((one) => one.startsWith("deliver"))).toEqual([]);
});

function failed(responseStatus: number, errorClass = "bad_status") {
  return { responseStatus, errorClass };
}

test("what deliver repeats of a webhook's own headers is hidden, as in the mock", async () => {
  const deliver = ({ headers }: Request) => new Response(`got ${headers.get("authorization")}`);
  const { create, control } = pageAt("https://a.example", { deliver });
  await create({ headers: { Authorization: "Bearer 5f0c1f9a2b7d4e83" } });
  const [sent] = await control.send({ example: "native-transfer" });
  expect(sent?.answer).toMatchObject({ responseStatus: 200, responseBody: "got [header]" });
});

test("a Response that is given twice is a success twice", async () => {
  const same = new Response("taken");
  const { create, control } = pageAt("https://a.example", { deliver: () => same });
  await create();
  const sent = await control.send({ example: "native-transfer", count: 2 });
  expect(sent.map(({ answer }) => answer?.errorClass)).toEqual([undefined, undefined]);
});

test("stop ends what is never answered", async () => {
  const { create, control, stop, said } = pageAt("https://a.example", { deliver: () => new Promise(() => undefined) });
  await create();
  const sending = control.send({ example: "native-transfer" });
  await stop();
  expect((await sending).map(({ answer }) => answer)).toEqual([undefined]);
  expect(said).toEqual([]);
});

test("after stop nothing is sent, whatever is created", async () => {
  let calls = 0;
  const deliver = () => {
    calls += 1;
    return new Response(null, { status: 500 });
  };
  const { create, control, stop, webhooks } = pageAt("https://a.example", { deliver, retryPauseMs: 0 });
  await stop();
  expect((await create())?.status).toBe(201);
  expect((await control.send({ webhookId: webhooks()[0]?.id ?? "" })).map(({ answer }) => answer)).toEqual([undefined]);
  expect(calls).toBe(0);
});

test("without MSW's http it says so", () => {
  for (const msw of [undefined, {}, http])
    expect(() => mswMock(msw as never, { baseUrl: "https://a.example" })).toThrow("must have MSW's http");
});

const notBase = "baseUrl must be a URL such as https://api.example.com, without a query or a password.";

test.each([
  [{ baseUrl: "/api" }, notBase],
  [{ baseUrl: "https://[" }, notBase],
  [{ baseUrl: "https://a.example:99999" }, notBase],
  [{ baseUrl: "https://user:password@a.example" }, notBase],
  [{ baseUrl: "https://a.example?key=x" }, notBase],
  [{ baseUrl: "https://a.example", baseURL: "" }, /^baseURL is no option/],
  [
    { baseUrl: "https://a.example", deliver: "fetch" },
    "deliver must be a function from a Request to a Response, such as fetch.",
  ],
  [{ baseUrl: "https://a.example", retryPauseMs: -1 }, "retryPauseMs must be a whole number from 0 to 86400000."],
])("%o is refused", (options, message) => {
  expect(() => mswMock({ http }, options as unknown as MswOptions)).toThrow(message);
});
