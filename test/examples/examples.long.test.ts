/** Each program of examples/ is run as a reader would run it, and stays short enough to be read. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { signNotification } from "../../client/receiver/index.ts";
import worker, { type Environment } from "../../examples/fetch-receiver.ts";
import { operationTable } from "../../generated/operations.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { endAll, start } from "../support/shell.ts";

const folder = fileURLToPath(new URL("../../examples/", import.meta.url));
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const named = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../openapi/examples/notification.${name}.json`, import.meta.url), "utf8")).value;
const notification = named("native-transfer");
const value = BigInt(notification.event.transaction.value);

let port: number;
beforeEach(async () => {
  port = await freePort();
});
afterEach(endAll);

const run = (file: string, env: Record<string, string>, ready: RegExp, ...args: string[]) =>
  start(process.execPath, ["--import", "tsx", join(folder, file), ...args], ready, { PORT: String(port), ...env });

/** A signed request, as the service sends it. */
async function signed(body: object & { messageId: string }, sequence: number): Promise<Request> {
  const text = JSON.stringify(body);
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {
    "webhook-id": body.messageId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": await signNotification({ id: body.messageId, timestamp, body: text, secret }),
    "webhook-sequence": String(sequence),
  };
  return new Request(`http://127.0.0.1:${port}/hooks`, { method: "POST", headers, body: text });
}
const send = async (body: object & { messageId: string }, sequence: number) =>
  (await fetch(await signed(body, sequence))).status;
const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json();

test("each program has under 60 lines, and the server that has the whole API under 17 for each operation", () => {
  const sources = /\.(cs|go|java|kt|php|py|rb|rs|ts)$/;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => sources.test(name));
  expect(files.length).toBeGreaterThan(13);
  const lines = (file: string) => readFileSync(join(folder, file), "utf8").split("\n").length - 1;
  const ofServer = files.filter((file) => file.startsWith("memory-server"));
  for (const file of files.filter((each) => !ofServer.includes(each))) expect(lines(file), file).toBeLessThan(60);
  const inAll = ofServer.reduce((sum, file) => sum + lines(file), 0);
  expect(inAll / Object.keys(operationTable).length).toBeLessThan(17);
});

test("the Express receiver counts each notification once, in whatever order a retraction comes", async () => {
  await run("express-receiver.ts", { WEBHOOK_SECRET: secret }, /Listening/);
  const total = `/received/${notification.event.transaction.to}`;
  expect([await send(notification, 1), await send(notification, 1)]).toEqual([204, 204]);
  expect(await get(total)).toEqual({ total: String(value) });
  const retraction = { ...notification, messageId: randomUUID(), event: { ...notification.event, removed: true } };
  expect(await send(retraction, 2)).toBe(204);
  expect(await get(total)).toEqual({ total: "0" });
  expect(await send({ ...retraction, messageId: randomUUID() }, 4)).toBe(204);
  expect(await send({ ...notification, messageId: randomUUID() }, 3)).toBe(204);
  expect(await get(total)).toEqual({ total: "0" });
  const failed = { ...notification.event, transaction: { ...notification.event.transaction, txStatus: "0" } };
  expect(await send({ ...notification, messageId: randomUUID(), event: failed }, 5)).toBe(204);
  expect(await send({ ...notification, messageId: randomUUID() }, 0)).toBe(204);
  expect(await get(total)).toEqual({ total: "0" });
});

test("the Fetch receiver does its work once, and refuses a wrong signature", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  const handled = new Map<string, string>();
  const HANDLED: Environment["HANDLED"] = {
    get: async (key) => handled.get(key) ?? null,
    put: async (key, text) => void handled.set(key, text),
  };
  const env = { WEBHOOK_SECRET: secret, HANDLED };
  for (let time = 0; time < 2; time += 1)
    expect((await worker.fetch(await signed(named("fungible-transfer"), 1), env)).status).toBe(204);
  expect(log).toHaveBeenCalledExactlyOnceWith(1, expect.stringMatching(/^0x/), expect.stringMatching(/^0x/));
  expect([...handled.keys()]).toEqual([named("fungible-transfer").messageId]);
  const other = { ...env, WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString("base64")}` };
  expect((await worker.fetch(await signed(notification, 2), other)).status).toBe(400);
  expect((await worker.fetch(new Request("http://127.0.0.1/"), env)).status).toBe(404);
});

test("the PostgreSQL receiver stores each notification once, and lists the missing ones", async () => {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  await run("postgres-receiver.ts", { WEBHOOK_SECRET: secret, DATABASE_URL: database.url }, /Listening/);
  for (const sequence of [1, 1, 4]) {
    const messageId = `0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b1${sequence}`;
    expect(await send({ ...notification, messageId }, sequence)).toBe(204);
  }
  expect(await send({ ...notification, messageId: randomUUID() }, 0)).toBe(204);
  const rows = await query(database.url, "SELECT sequence::int, removed FROM received ORDER BY sequence");
  expect(rows).toEqual([
    { sequence: 1, removed: false },
    { sequence: 4, removed: false },
  ]);
  expect(await get("/missing")).toMatchObject([{ sequence: "2" }, { sequence: "3" }]);
  await endAll();
});

test("the server in memory has a client sync a list of addresses", async () => {
  const own = mkdtempSync(join(tmpdir(), "chain-webhooks-examples-"));
  onTestFinished(() => rmSync(own, { recursive: true }));
  await run("memory-server/main.ts", { API_KEY: "secret" }, /Listening/);
  const env = { BASE_URL: `http://127.0.0.1:${port}`, API_KEY: "secret" };
  const client = createWebhooksClient({ baseUrl: env.BASE_URL, apiKey: env.API_KEY });
  const [first, second, third] = ["1", "2", "3"].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
  const { id } = await client.createWebhook({
    body: {
      url: "https://example.com/",
      chainId: "43114",
      eventType: "address_activity",
      metadata: { addresses: [first, second] },
    },
  });
  writeFileSync(join(own, "addresses.txt"), `${second}\n${third}\n\n`);
  const sync = () => run("sync-addresses.ts", env, /left \d/, id, join(own, "addresses.txt"));
  expect((await sync()).output()).toBe("Added 1, removed 1, and left 1, from block 1 on.\n");
  expect((await client.listWebhookAddresses({ path: { id } })).addresses).toEqual([second, third]);
  expect((await sync()).output()).toBe("Added 0, removed 0, and left 2.\n");
  writeFileSync(join(own, "addresses.txt"), "\n");
  await run("sync-addresses.ts", env, /must have at least one/, id, join(own, "addresses.txt"));
  expect((await client.listWebhookAddresses({ path: { id } })).addresses).toEqual([second, third]);
});
