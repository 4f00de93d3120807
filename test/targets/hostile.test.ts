/** Whatever a URL looks like, and whatever its name resolves to: no connection is opened to an address that is not public. */

import { once } from "node:events";
import { type AddressInfo, createServer, type Server, Socket } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Delivery, startDelivery } from "../../server/delivery/deliver.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { isPublicAddress } from "../../server/targets/targets.ts";
import { type Api, newWebhook, type Reply, startApi } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";
import { eventually } from "../support/eventually.ts";
import { type NameServer, startNameServer } from "../support/name-server.ts";
import { openOutbox } from "../support/outbox.ts";
import { startReceiver } from "../support/receiver.ts";
import { record } from "../support/sent.ts";
import { goodUrls } from "./good-urls.ts";
import { hostileUrls } from "./hostile-urls.ts";

const refusal = {
  form: /^url must /,
  scheme: /^url must be an https URL(; .*=true on the service allows (http|it))?\.$/,
  port: /^url must have (a port from 1 to 65535|a port for https, which \d+ is not: it belongs to another protocol|another port: \d+ is \w+'s(; .*=true on the service allows it)?)\.$/,
  host: /^url must (have a host on the public internet(; for development, .*)?\.|be )/,
} as const;

let api: Api;
let nameServer: NameServer;
let delivery: Delivery;
let trap: Server;
let trapped = 0;
/** Every address that a connection was begun to, but for those of the test itself. */
const dialled: string[] = [];

beforeAll(async () => {
  trap = createServer((socket) => {
    trapped += 1;
    socket.destroy();
  });
  // On every address of this machine, IPv6 too where there is any.
  trap.listen(0);
  await once(trap, "listening");
  [api, nameServer] = await Promise.all([startApi(), startNameServer()]);
  const ours = new Set([new URL(api.url).port, String(api.pool.options.port ?? ""), databasePort()]);
  const connect = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...args: unknown[]) {
    this.on("connectionAttempt", (ip, port) => {
      if (!ours.has(String(port))) dialled.push(`${ip} ${port}`);
    });
    return Reflect.apply(connect, this, args);
  });
  delivery = startDelivery({
    ...{ pool: api.pool, keyring: noKeys, log: pino({ level: "silent" }), leaseSeconds: 60, timeoutMs: 1_000 },
    allowPrivateTargets: false,
    nameServers: [nameServer.address],
  });
});
afterAll(async () => {
  await delivery.stop();
  vi.restoreAllMocks();
  await Promise.all([api.close(), nameServer.close()]);
  trap.close();
});

const databasePort = () => new URL(String(api.pool.options.connectionString)).port;
const withPort = (url: string) => url.replaceAll(":P", `:${(trap.address() as AddressInfo).port}`);
const create = (url: string) => api.call("POST", "/v1/webhooks", { body: newWebhook({ url }) });
const cases = () => hostileUrls.map((hostile) => ({ ...hostile, url: withPort(hostile.url) }));

/** Has one notification for each webhook sent. @returns how the first attempts failed */
async function errorsOf(ids: readonly string[]): Promise<(string | undefined)[]> {
  for (const id of ids) await record(api.pool, id, 1);
  return eventually(async () => {
    const { rows } = await api.pool.query<{ id: string; error: string }>(
      "SELECT webhook_id AS id, error_class AS error FROM attempts WHERE webhook_id = ANY($1::uuid[]) AND number = 1",
      [ids],
    );
    expect(rows.length).toBe(ids.length);
    return ids.map((id) => rows.find((row) => row.id === id)?.error);
  });
}

function assertRefused(reply: Reply, why: keyof typeof refusal, url: string): void {
  expect(reply.status, `${url} ${JSON.stringify(reply.body)}`).toBe(400);
  assertError(reply, 400, refusal[why]);
}

test("there are many more than sixty of them", () => {
  expect(new Set(hostileUrls.map(({ url }) => url)).size).toBe(hostileUrls.length);
  expect(hostileUrls.length).toBeGreaterThan(150);
});

test("creation and update refuse a URL that is visibly wrong, in a sentence, and accept a name without resolving it", async () => {
  const webhook = (await create("https://example.com/")).body;
  for (const { url, refusal: why } of cases()) {
    const [created, updated] = [
      await create(url),
      await api.call("PATCH", `/v1/webhooks/${webhook.id}`, { body: { url: url } }),
    ];
    if (why === undefined) expect([created.status, updated.status], url).toEqual([201, 200]);
    else for (const reply of [created, updated]) assertRefused(reply, why, url);
  }
  expect(nameServer.asked).toEqual([]);
  expect(trapped).toBe(0);
});

test("delivery opens no connection to a url in the tables that is not public, and records it as blocked", async () => {
  const sent = cases().filter(({ url }) => URL.canParse(url));
  const ids: string[] = [];
  for (const { url, names = {} } of sent) {
    for (const [name, answers] of Object.entries(names)) nameServer.names.set(name, answers);
    const { id } = (await create("https://example.com/")).body;
    await api.pool.query("UPDATE webhooks SET url = $2 WHERE id = $1", [id, url]);
    ids.push(id);
  }
  const errors = await errorsOf(ids);
  const got = Object.fromEntries(sent.map(({ url }, at) => [url, errors[at]]));
  // A user name is no part of what is dialled; https at example.com is nothing to refuse.
  const harmless = /^https:\/\/(user|:secret|127\.0\.0\.1:\d+)@example\.com\/$/;
  for (const [url, error] of Object.entries(got))
    if (!harmless.test(url)) expect({ url, error }).toEqual({ url, error: "blocked_address" });
  expect(nameServer.asked).toContain("aaaa one-bad6.example.com");
  expect({ trapped, dialled }).toEqual({ trapped: 0, dialled: [] });
});

test("a name that changes between lookups is resolved once for each connection, and the checked address is dialled", async () => {
  // Public by the tables and nobody's: what is sent there goes nowhere.
  nameServer.names.set("rebinding.example.com", [{ aaaa: ["24ff::1"] }, { aaaa: ["::1"], a: ["127.0.0.1"] }]);
  const url = withPort("https://rebinding.example.com:P/");
  const [first, second] = [(await create(url)).body.id, (await create(url)).body.id];
  const [firstError] = await errorsOf([first]);
  expect(firstError).toMatch(/^(connection_refused|timeout)$/);
  const [secondError] = await errorsOf([second]);
  expect(secondError).toBe("blocked_address");
  expect(nameServer.asked.filter((asked) => asked === "aaaa rebinding.example.com")).toHaveLength(2);
  expect(dialled.splice(0)).toEqual([`24ff::1 ${(trap.address() as AddressInfo).port}`]);
  expect(trapped).toBe(0);
});

test("a test notification is not sent there either", async () => {
  nameServer.names.set("tested.example.com", [{ a: ["8.8.8.8", "127.0.0.1"] }]);
  const { id } = (await create(withPort("https://tested.example.com:P/"))).body;
  const { status, body } = await api.call("POST", `/v1/webhooks/${id}/test`);
  expect({ status, body }).toMatchObject({ status: 200, body: { delivered: false, errorClass: "blocked_address" } });
  expect({ trapped, dialled }).toEqual({ trapped: 0, dialled: [] });
});

test.each(goodUrls)("%s is accepted", async (url) => {
  expect(await create(url)).toMatchObject({ status: 201, body: { url } });
});

test("plain http is called where the operator allows it, and private addresses are not", async () => {
  const lenient = await startApi({ allowPrivateTargets: false, allowHttpTargets: true });
  const make = (url: string) => lenient.call("POST", "/v1/webhooks", { body: newWebhook({ url }) });
  expect((await make("http://example.com/")).status).toBe(201);
  expect((await make("https://example.com/")).status).toBe(201);
  assertError(await make("http://127.0.0.1/"), 400, refusal.host);
  assertError(await make("http://example.com:25/"), 400, refusal.port);
  await lenient.close();
});

test("a redirect is not followed, wherever it leads", async () => {
  const [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
  const targets = [withPort("http://127.0.0.1:P/"), withPort("https://[::1]:P/"), "http://169.254.169.254/", "/again"];
  const statuses = [301, 302, 303, 307, 308];
  const webhooks = await Promise.all(
    statuses.flatMap((status) => targets.map((_, target) => outbox.addWebhook(`${receiver.url}/${status}/${target}`))),
  );
  receiver.answer = ({ path }, response) => {
    const [, status, target] = path.split("/");
    response.writeHead(Number(status), { location: targets[Number(target)] }).end();
  };
  await outbox.append(webhooks);
  outbox.deliver();
  const attempts = await eventually(async () => {
    const made = (await Promise.all(webhooks.map(outbox.attempts))).flat().filter(({ number }) => number === 1);
    expect(made.length).toBe(webhooks.length);
    return made;
  });
  expect(new Set(attempts.map(({ error }) => error))).toEqual(new Set(["bad_status"]));
  expect(new Set(attempts.map(({ status }) => status))).toEqual(new Set(statuses));
  expect(receiver.deliveries.every(({ path }) => path.split("/").length === 3)).toBe(true);
  expect(trapped).toBe(0);
  expect(
    dialled.map((one) => one.split(" ")[0]).filter((ip) => ip !== "127.0.0.1" && !isPublicAddress(ip ?? "")),
  ).toEqual([]);
  await outbox.close();
  await receiver.close();
});
