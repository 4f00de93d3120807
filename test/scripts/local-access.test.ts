/** What a hostile page can send to programs that listen on a developer's machine, and what pages and programs of that machine may. */
import { promises as dns } from "node:dns";
import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, createServer, Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createDocs } from "../../scripts/command/commands/docs.ts";
import { createExchangeRecorder } from "../../scripts/command/conformance/exchange.ts";
import { startProxy } from "../../scripts/command/conformance/proxy.ts";
import { startReceiver as startKitReceiver } from "../../scripts/command/conformance/receiver.ts";
import { createStatelessMock } from "../../scripts/command/mock/app.ts";
import { type Mock, startMock } from "../../scripts/command/mock/start.ts";
import { createListener } from "../../scripts/command/notifications/listener.ts";
import { listen } from "../../server/api/listening/listen.ts";
import { newWebhook } from "../support/api.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const ends: (() => Promise<unknown>)[] = [];
const urls: Record<string, string> = {};
const shown: string[] = [];
let mock: Mock;
let receiver: Receiver;
let kit: Awaited<ReturnType<typeof startKitReceiver>>;

async function serve(app: Parameters<typeof listen>[0], host?: string): Promise<string> {
  const { url, close } = await listen(app, { port: 0, ...(host && { host }) });
  ends.push(close);
  return url;
}

beforeAll(async () => {
  [mock, receiver, kit] = await Promise.all([
    startMock(),
    startReceiver(),
    startKitReceiver({ host: "127.0.0.1", port: 0 }),
  ]);
  const stateless = await createStatelessMock({ say: () => undefined, log: pino({ level: "silent" }) });
  const proxy = await startProxy(createExchangeRecorder(new URL(mock.url), new AbortController().signal), "test");
  ends.push(mock.stop, receiver.close, kit.close, stateless.close, proxy.close);
  const listener = createListener({
    secret: undefined,
    forwardTo: `${receiver.url}/forwarded`,
    show: (line) => shown.push(line),
  });
  Object.assign(urls, {
    mock: mock.url,
    "stateless mock": await serve(stateless.app),
    docs: await serve(await createDocs()),
    listen: await serve(listener),
    "conformance receiver": kit.url,
    "conformance proxy": proxy.url,
  });
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

type Headers = Record<string, string | string[]>;
type Asked = { method?: string; path?: string; headers?: Headers; body?: string };

/** Sends exactly these headers, which `fetch` would not. */
async function ask(url: string, { method = "GET", path = "/v1/webhooks", headers = {}, body }: Asked) {
  const sent = request(url + path, { method, headers, agent: false });
  sent.end(body);
  const [response] = await once(sent, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  return { status: Number(response.statusCode), headers: response.headers, text };
}

const key = { "x-service-api-key": "any" };
const json = { "content-type": "application/json" };
const webhook = (url: string) => JSON.stringify(newWebhook({ url }));

/** What browsers send for pages elsewhere: with CORS, without, from a frame, by a name that leads here, from an extension. */
const hostile: [string, Headers][] = [
  ["a page elsewhere", { origin: "https://evil.example" }],
  ["one that says localhost in its name", { origin: "http://localhost.evil.example:3000" }],
  ["one that says 127.0.0.1 in its name", { origin: "http://127.0.0.1.evil.example" }],
  ["one of a neighbour", { origin: "http://192.168.1.7:3000" }],
  ["one at an address that is nowhere", { origin: "http://0.0.0.0:3000" }],
  ["a frame without an origin", { origin: "null" }],
  ["a file", { origin: "file://" }],
  ["an extension", { origin: "chrome-extension://localhost" }],
  ["an empty origin", { origin: "" }],
  ["two origins", { origin: ["http://localhost:3000", "https://evil.example"] }],
  ["an origin with a user", { origin: "http://localhost@evil.example" }],
  ["an image, a script, a form", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
  ["a neighbour's image", { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" }],
  ["a WebSocket", { origin: "https://evil.example", connection: "Upgrade", upgrade: "websocket" }],
];
const rebound: [string, Headers][] = [
  ["a name that leads here", { host: "evil.example:4010" }],
  ["one with the page's own origin", { host: "evil.example:4010", origin: "http://evil.example:4010" }],
  ["one that begins like ours", { host: "localhost.evil.example" }],
  ["an address that is not ours", { host: "192.168.1.7:4010" }],
  ["an address as a name", { host: "127.0.0.1.nip.io" }],
  ["no name at all", { host: ":4010" }],
  ["two hosts in one", { host: "localhost, evil.example" }],
  ["a user before the host", { host: "localhost@evil.example" }],
];

describe("a hostile page", () => {
  test.each(hostile.concat(rebound))("%s reads and changes nothing", async (_, headers) => {
    const before = mock.webhooks().length;
    const body = webhook(`${receiver.url}/stolen`);
    for (const url of [urls.mock ?? "", urls["stateless mock"] ?? ""]) {
      const asked: Asked[] = [
        { headers: { ...key, ...headers } },
        { method: "POST", headers: { ...key, ...json, ...headers }, body },
        { method: "OPTIONS", headers: { ...headers, "access-control-request-method": "POST" } },
        ...(url === urls.mock
          ? [
              { path: "/_mock/sent", headers },
              { method: "POST", path: "/_mock/notifications", headers: { ...json, ...headers }, body: "{}" },
              { method: "POST", path: "/_mock/reset", headers },
            ]
          : []),
      ];
      for (const one of asked) {
        const { status, headers: came, text } = await ask(url, one);
        expect(status).toBe(403);
        expect(came["access-control-allow-origin"]).toBeUndefined();
        expect(JSON.parse(text)).toMatchObject({ statusCode: 403, error: "Forbidden" });
      }
    }
    expect(mock.webhooks().length).toBe(before);
    expect(receiver.deliveries.filter(({ path }) => path === "/stolen")).toEqual([]);
  });

  test.each(hostile)("%s is shown and forwarded nothing", async (_, headers) => {
    for (const name of ["listen", "conformance receiver"]) {
      const answer = await ask(urls[name] ?? "", { method: "POST", path: "/", headers, body: "{}" });
      expect(answer.status).toBe(403);
    }
    expect(shown).toEqual([]);
    expect(kit.deliveries).toEqual([]);
    expect(receiver.deliveries.filter(({ path }) => path === "/forwarded")).toEqual([]);
  });

  test.each(hostile.concat(rebound))("%s does not get through the proxy of conformance", async (_, headers) => {
    const answer = await ask(urls["conformance proxy"] ?? "", { headers: { ...key, ...headers } });
    expect(answer).toMatchObject({ status: 403, text: "" });
  });

  test("a form cannot reach the control, whatever it says of itself", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/json",
    ])
      for (const path of ["/_mock/notifications", "/_mock/failures", "/_mock/reset"]) {
        const answer = await ask(urls.mock ?? "", {
          method: "POST",
          path,
          headers: { "content-type": type },
          body: "{}",
        });
        expect([answer.status, JSON.parse(answer.text).message]).toEqual([
          415,
          "The header content-type must be application/json.",
        ]);
      }
    expect((await ask(urls.mock ?? "", { method: "POST", path: "/_mock/failures", body: "{}" })).status).toBe(415);
  });

  test("a tunnel is refused", async () => {
    const socket = new Socket().connect(Number(new URL(mock.url).port), "127.0.0.1");
    socket.write("CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n");
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
    expect(String(answer)).not.toMatch(/allow-origin/i);
    socket.destroy();
  });
});

describe("on this machine", () => {
  test.each([
    "http://localhost",
    "https://localhost:8443",
    "http://127.0.0.1:5173",
    "http://[::1]:3000",
    "http://app.localhost:3000",
  ])("a page of %s may call, and read the answer", async (origin) => {
    const preflight = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-service-api-key",
    };
    expect(await ask(mock.url, { method: "OPTIONS", headers: preflight })).toMatchObject({
      status: 204,
      headers: { "access-control-allow-origin": origin, vary: "Origin" },
    });
    expect(await ask(mock.url, { headers: { ...key, origin, "sec-fetch-site": "cross-site" } })).toMatchObject({
      status: 200,
      headers: { "access-control-allow-origin": origin, vary: "Origin" },
    });
  });

  test("programs may, by any name of this machine, and the mock's own pages", async () => {
    for (const host of ["localhost:1", "127.0.0.1", "127.1.2.3:4010", "[::1]:4010", "LOCALHOST", "mock.localhost"])
      expect((await ask(mock.url, { headers: { ...key, host } })).status).toBe(200);
    for (const site of ["none", "same-origin"])
      expect((await ask(mock.url, { headers: { ...key, "sec-fetch-site": site } })).status).toBe(200);
    const ofItself = { ...key, origin: mock.url, "sec-fetch-site": "same-origin" };
    expect((await ask(mock.url, { headers: ofItself })).status).toBe(200);
  });

  test("a link to the documents works from anywhere", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    for (const url of [urls.mock, urls.docs]) {
      const answer = await ask(url ?? "", { path: "/openapi.json", headers });
      expect(answer.status).toBe(200);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });
});

describe("what is opened", () => {
  test("cors lets pages of an origin call, and no others; * lets all", async () => {
    const [some, all] = [await startMock({ cors: ["https://app.example.com"] }), await startMock({ cors: ["*"] })];
    ends.push(some.stop, all.stop);
    const statusOf = async ({ url }: Mock, headers: Headers) =>
      (await ask(url, { headers: { ...key, ...headers } })).status;
    expect(await statusOf(some, { origin: "https://app.example.com" })).toBe(200);
    expect(await statusOf(some, { origin: "https://app.example.com:444" })).toBe(403);
    expect(await statusOf(some, { origin: "https://evil.example" })).toBe(403);
    expect(await statusOf(some, { "sec-fetch-site": "cross-site" })).toBe(403);
    for (const [, headers] of hostile) expect(await statusOf(all, headers)).toBe(200);
    for (const [, headers] of rebound) expect(await statusOf(all, headers)).toBe(403);
  });

  test("allowHosts has further names", async () => {
    const named = await startMock({ allowHosts: ["mock", "Host.Docker.Internal"] });
    ends.push(named.stop);
    for (const [host, status] of [
      ["mock:4010", 200],
      ["host.docker.internal", 200],
      ["mock.evil.example", 403],
    ] as const)
      expect((await ask(named.url, { headers: { ...key, host } })).status).toBe(status);
    const ofItself = { ...key, host: "mock:4010", origin: "http://mock:4010" };
    expect((await ask(named.url, { headers: ofItself })).status).toBe(200);
  });
});

/** Every other address of this machine. */
const elsewhere = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === "IPv4")?.address;

describe.runIf(elsewhere)("on every address of this machine", () => {
  test("it may be called by an address, and a page of that address is its own", async () => {
    const open = await startMock({ host: "0.0.0.0" });
    ends.push(open.stop);
    const url = `http://${elsewhere}:${new URL(open.url).port}`;
    expect((await ask(url, { headers: key })).status).toBe(200);
    expect((await ask(url, { headers: { ...key, origin: url } })).status).toBe(200);
    expect((await ask(url, { headers: { ...key, host: "evil.example" } })).status).toBe(403);
    expect((await ask(url, { headers: { ...key, origin: "https://evil.example" } })).status).toBe(403);
  });
});

describe("targets", () => {
  /** Every address that a connection was begun to. */
  const dialled: string[] = [];
  beforeAll(() => {
    const connect = Socket.prototype.connect;
    vi.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...args: unknown[]) {
      this.on("connectionAttempt", (ip: string) => dialled.push(ip));
      return Reflect.apply(connect, this, args);
    });
  });
  afterEach(() => {
    dialled.length = 0;
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  const outcomeOf = async ({ url, control }: Mock, to: string) => {
    const { status, text } = await ask(url, { method: "POST", headers: { ...key, ...json }, body: webhook(to) });
    expect(status).toBe(201);
    const [sent] = await control.send({ webhookId: JSON.parse(text).id });
    const outcome = sent?.answer?.responseStatus ?? sent?.answer?.errorClass;
    await ask(url, { method: "DELETE", path: `/v1/webhooks/${JSON.parse(text).id}`, headers: key });
    return outcome;
  };

  test.each([
    "http://10.0.0.1/",
    "http://192.168.1.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://8.8.8.8/",
    "http://0x0a000001/",
    "http://012.1/",
    "http://[::ffff:10.0.0.1]/",
    "http://[fe80::1]/",
    "https://93.184.215.14/",
  ])("%s is on record, and never called", async (to) => {
    expect(await outcomeOf(mock, to)).toBe("blocked_address");
    expect(dialled.filter((ip) => ip !== "127.0.0.1")).toEqual([]);
  });

  test("a name is judged by all addresses that it has, and those are called that were judged", async () => {
    const port = new URL(receiver.url).port;
    const lookup = vi.spyOn(dns, "lookup") as unknown as { mockImplementation(answer: () => unknown): void };
    const has = (...addresses: string[]) =>
      lookup.mockImplementation(async () => addresses.map((address) => ({ address, family: 4 })));
    has("10.0.0.1");
    expect(await outcomeOf(mock, `http://app.test:${port}/`)).toBe("blocked_address");
    has("127.0.0.1", "10.0.0.1");
    expect(await outcomeOf(mock, `http://app.test:${port}/`)).toBe("blocked_address");
    has("127.0.0.1");
    expect(await outcomeOf(mock, `http://app.test:${port}/`)).toBe(204);
    expect(dialled.filter((ip) => ip !== "127.0.0.1")).toEqual([]);
  });

  test("loopback is called in every form", async () => {
    const port = new URL(receiver.url).port;
    for (const host of ["127.0.0.1", "localhost", "0x7f.1", "2130706433"])
      expect(await outcomeOf(mock, `http://${host}:${port}/`)).toBe(204);
  });

  test("the notification of a stateless mock, too", async () => {
    const said: string[] = [];
    const { app, close } = await createStatelessMock({
      say: (line) => said.push(line),
      log: pino({ level: "silent" }),
    });
    const url = await serve(app);
    for (const to of ["http://10.0.0.1/", "http://8.8.8.8/", `${receiver.url}/stateless`])
      await ask(url, { method: "POST", headers: { ...key, ...json }, body: webhook(to) });
    await expect.poll(() => said.filter((line) => line.includes("/stateless 204"))).toHaveLength(1);
    expect(said.filter((line) => line.includes("was not sent: url must have a host on this machine"))).toHaveLength(2);
    expect(dialled.filter((ip) => ip !== "127.0.0.1")).toEqual([]);
    await close();
  });

  test.runIf(elsewhere)("private allows the networks of this machine, and no others; any allows all", async () => {
    const trap = createServer((socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
    await once(trap.listen(0, "0.0.0.0"), "listening");
    const [wide, any] = [await startMock({ targets: "private" }), await startMock({ targets: "any" })];
    ends.push(wide.stop, any.stop, async () => trap.close());
    const to = `http://${elsewhere}:${(trap.address() as AddressInfo).port}/`;
    expect(await outcomeOf(mock, to)).toBe("blocked_address");
    expect(await outcomeOf(any, to)).toBe(204);
    for (const refused of ["http://8.8.8.8/", "http://169.254.169.254/", "http://[fd00:ec2::254]/"])
      expect(await outcomeOf(wide, refused)).toBe("blocked_address");
    const isPrivate = /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(elsewhere ?? "");
    expect(await outcomeOf(wide, to)).toBe(isPrivate ? 204 : "blocked_address");
  });
});
