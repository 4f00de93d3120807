/** Where notifications are not sent to: addresses that are not public, by whatever name. */

import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createNameResolver } from "../../server/delivery/send/lookup.ts";
import { eventually } from "../support/eventually.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";

let outbox: Outbox;
let connections = 0;
let port: number;
const servers: Server[] = [];

beforeAll(async () => {
  outbox = await openOutbox();
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  servers.push(server);
  // Every address of this machine, IPv6 too where there is any.
  server.listen(0);
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  outbox.deliver({ allowPrivateTargets: false, allowHttpTargets: true, timeoutMs: 20_000 });
});
afterAll(async () => {
  await outbox.close();
  for (const server of servers) server.close();
});

async function errorsAt(hosts: string[]): Promise<Record<string, string | null>> {
  const webhooks = await Promise.all(hosts.map((host) => outbox.addWebhook(`http://${host}:${port}/`)));
  await outbox.append(webhooks);
  return eventually(async () => {
    const attempts = (await Promise.all(webhooks.map(outbox.attempts))).flat().filter(({ number }) => number === 1);
    expect(attempts.length).toBe(hosts.length);
    return Object.fromEntries(attempts.map(({ error }, index) => [hosts[index], error]));
  });
}

const all = (hosts: string[], error: string) => Object.fromEntries(hosts.map((host) => [host, error]));

test("literal addresses that are not public are refused, however they are written", async () => {
  const hosts = ["127.0.0.1", "[::1]", "169.254.169.254", "10.1.2.3", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]"];
  expect(await errorsAt(hosts)).toEqual(all(hosts, "blocked_address"));
  expect(connections).toBe(0);
});

test("a name is refused for the address it resolves to", async () => {
  const hosts = ["localhost", "localhost.", "any.localhost"];
  expect(await errorsAt(hosts)).toEqual(all(hosts, "blocked_address"));
  expect(connections).toBe(0);
});

test("a name without an address is a DNS error", async () => {
  const hosts = ["nothing.invalid", "nothing.invalid."];
  expect(await errorsAt(hosts)).toEqual(all(hosts, "dns_error"));
});

test("a resolver that fails is a DNS error too, whatever it fails with", async () => {
  // A name that no resolver can be asked for: too long.
  await expect(createNameResolver()(`${"a".repeat(64)}.example`)).rejects.toMatchObject({ errorClass: "dns_error" });
});
