/** Names that can never resolve are refused where they are given, and never asked of a name server. */

import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Delivery, startDelivery } from "../../server/delivery/deliver.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { type Api, newWebhook, startApi } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";
import { eventually } from "../support/eventually.ts";
import { type NameServer, startNameServer } from "../support/name-server.ts";
import { record } from "../support/sent.ts";

let api: Api;
let nameServer: NameServer;
let delivery: Delivery;
beforeAll(async () => {
  [api, nameServer] = await Promise.all([startApi(), startNameServer()]);
  delivery = startDelivery({
    ...{ pool: api.pool, keyring: noKeys, log: pino({ level: "silent" }), leaseSeconds: 60, timeoutMs: 60_000 },
    allowPrivateTargets: false,
    nameServers: [nameServer.address],
  });
});
afterAll(async () => {
  await delivery.stop();
  await Promise.all([api.close(), nameServer.close()]);
});

const labels = "url must have a host name whose labels are 1 to 63 letters, digits, hyphens or underscores.";
const special = (zone: string) =>
  new RegExp(`^url must have a host name that can resolve, which none in \\.${zone} does[.;]`);

/** By the name, what is said of it. */
const hopeless: Readonly<Record<string, string | RegExp>> = {
  "a..b": labels,
  "example.com..": labels,
  ".example.com": labels,
  "*.example.com": labels,
  "%2a.example.com": labels,
  [`${"a".repeat(64)}.example.com`]: labels,
  [new URL(`https://${"ü".repeat(60)}.example.com`).hostname]: labels,
  "$tenant.example.com": labels,
  "a,b.example.com": labels,
  [`${"a.".repeat(124)}example.com`]: "url must have a host name of at most 253 characters.",
  "hooks.invalid": special("invalid"),
  "HOOKS.Invalid.": special("invalid"),
  "hooks.onion": special("onion"),
  "hooks.alt": special("alt"),
  "hooks.test": special("test"),
  "hooks.example": special("example"),
};

const create = (to: Api, url: string) => to.call("POST", "/v1/webhooks", { body: newWebhook({ url }) });

test.each(Object.entries(hopeless))(
  "%s is refused when a webhook is created, and when its url changes",
  async (name, said) => {
    const url = `https://${name}/hooks`;
    assertError(await create(api, url), 400, said);
    const { id } = (await create(api, "https://example.com/")).body;
    assertError(await api.call("PATCH", `/v1/webhooks/${id}`, { body: { url } }), 400, said);
  },
);

test("names reserved for tests are accepted with private targets, names that cannot exist are not", async () => {
  const lenient = await startApi({ allowPrivateTargets: true });
  for (const url of ["https://hooks.test/", "https://hooks.example/", "https://hooks/"])
    expect((await create(lenient, url)).status, url).toBe(201);
  assertError(await create(lenient, "https://hooks.invalid/"), 400, special("invalid"));
  assertError(await create(lenient, "https://a..b/"), 400, labels);
  await lenient.close();
});

test("such a name in the tables is a DNS error, and no name server is queried", async () => {
  const names = Object.keys(hopeless);
  const ids: string[] = [];
  for (const name of names) {
    const { id } = (await create(api, "https://example.com/")).body;
    await api.pool.query("UPDATE webhooks SET url = $2 WHERE id = $1", [id, `https://${name}/hooks`]);
    await record(api.pool, id, 1);
    ids.push(id);
  }
  await eventually(async () => {
    const text = "SELECT error_class AS error FROM attempts WHERE webhook_id = ANY($1::uuid[]) AND number = 1";
    const { rows } = await api.pool.query(text, [ids]);
    expect(rows).toEqual(names.map(() => ({ error: "dns_error" })));
  });
  expect(nameServer.asked).toEqual([]);
});
