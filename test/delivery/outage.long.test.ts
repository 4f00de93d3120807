/** A database that breaks connections, refuses them, or keeps silent, while notifications are delivered. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";
import { patienceMs } from "../support/patience.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

let outbox: Outbox;
let receiver: Receiver;
let pool: Pool;
let postgresUrl: string;
let databaseName: string;
const ends: (() => Promise<void> | void)[] = [];
beforeEach(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 10);
  pool = createPool(outbox.databaseUrl, { name: "delivery" });
  const url = new URL(outbox.databaseUrl);
  databaseName = url.pathname.slice(1);
  url.pathname = "/postgres";
  postgresUrl = url.href;
});
afterEach(async () => {
  await receiver.close();
  await outbox.close();
  await pool.end();
  for (const end of ends.splice(0)) await end();
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const breakConnections = () =>
  query(
    postgresUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${databaseName}' AND application_name = 'delivery'`,
  );
const allowConnections = (allowed: boolean) =>
  query(postgresUrl, `ALTER DATABASE ${databaseName} ALLOW_CONNECTIONS ${allowed}`);
const addWebhooks = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => outbox.addWebhook(`${receiver.url}/${index}`)));

test("connections that break again and again lose nothing and repeat nothing", async () => {
  const webhooks = await addWebhooks(20);
  outbox.deliver({ pool, leaseSeconds: 300 });
  for (let i = 0; i < 10; i += 1) {
    await outbox.append(webhooks, 10);
    await pause(100);
    await breakConnections();
  }
  await outbox.atRest();
  expect(receiver.deliveries.length).toBe(2_000);
});

test("a database outage shorter than the lease only costs time", async () => {
  const webhooks = await addWebhooks(20);
  outbox.deliver({ pool, leaseSeconds: 300 });
  await outbox.append(webhooks, 30);
  await receiver.waitFor(100);
  await allowConnections(false);
  await breakConnections();
  await pause(2_000);
  await allowConnections(true);
  await outbox.atRest();
  expect(receiver.deliveries.length).toBe(600);
});

test("after an outage longer than the lease only notifications in flight are sent again", async () => {
  const webhooks = await addWebhooks(20);
  outbox.deliver({ pool });
  await outbox.append(webhooks, 30);
  await receiver.waitFor(100);
  await allowConnections(false);
  await breakConnections();
  await pause(3_000);
  await allowConnections(true);
  await outbox.atRest();
  const ids = receiver.deliveries.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(600);
});

test("stopping waits neither for the database to come back nor for an endpoint that hangs, nor until its lease ends", async () => {
  receiver.answer = () => {};
  const [webhook] = await addWebhooks(1);
  if (!webhook) throw new Error("no webhook");
  const delivery = outbox.deliver({ pool, leaseSeconds: 600, timeoutMs: 5_000 });
  await outbox.append([webhook]);
  await receiver.waitFor(1);
  await allowConnections(false);
  await breakConnections();
  const startedAt = performance.now();
  await delivery.stop();
  expect(performance.now() - startedAt).toBeLessThan(patienceMs);
  await allowConnections(true);
});

/** A way to the database that can fall silent, as when a firewall drops what it should pass on. */
async function startProxy(): Promise<{ url: string; silence(): void }> {
  const target = new URL(outbox.databaseUrl);
  const sockets: Socket[] = [];
  let silent = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    sockets.push(near, far);
    near.on("data", (chunk) => silent || far.write(chunk));
    far.on("data", (chunk) => silent || near.write(chunk));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on("error", () => {}).on("close", () => other.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(outbox.databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence: () => {
      silent = true;
    },
  };
}

test("with a silent database nothing starts after the lease's end, requests in flight are aborted, and stopping needs no answer", async () => {
  const ended: boolean[] = [];
  receiver.answer = (_, response) => {
    const timer = setTimeout(() => response.writeHead(204).end(), 1_500);
    response.on("close", () => {
      clearTimeout(timer);
      ended.push(response.writableFinished);
    });
  };
  const proxy = await startProxy();
  const through = createPool(proxy.url);
  const [webhook] = await addWebhooks(1);
  if (!webhook) throw new Error("no webhook");
  const delivery = outbox.deliver({ pool: through, leaseSeconds: 2 });
  await outbox.append([webhook], 500);
  await receiver.waitFor(2);
  proxy.silence();
  await pause(2_500);
  const sent = receiver.deliveries.length;
  await eventually(() => expect(ended).toContain(false));
  await pause(1_000);
  expect(receiver.deliveries.length).toBe(sent);
  // The database is silent until the end, so this does not wait for it.
  await delivery.stop();
  outbox.deliver();
  receiver.answer = (_, response) => response.writeHead(204).end();
  await outbox.atRest();
  // The pool's own connections still wait for the silent database; the proxy's end breaks them.
  ends.push(() => through.end());
});
