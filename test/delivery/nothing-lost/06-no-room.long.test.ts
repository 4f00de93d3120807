/** The database's disk is full, or its connections are used up: nobody is reported a success that is none, and nothing is lost. */

import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { createWebhooksClient, type WebhooksClient } from "../../../client/index.ts";
import { createKey } from "../../../server/store/accounts/keys.ts";
import { eventually } from "../../support/eventually.ts";
import { fillDisk } from "../../support/full-disk.ts";
import { outboxChainId } from "../../support/outbox.ts";
import { countDuplicates, keepAppending, openScene, type Scene } from "./scene.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function clientOf({ outbox }: Scene, url: string): Promise<WebhooksClient> {
  const { key } = await createKey(outbox.pool, { account: "other", scopes: ["read", "write"] });
  return createWebhooksClient({ baseUrl: url, apiKey: key, maxRetries: 0 });
}

const create = (client: WebhooksClient) =>
  client.createWebhook({
    body: {
      url: "http://127.0.0.1:59999/",
      chainId: outboxChainId,
      eventType: "address_activity",
      metadata: { addresses: [`0x${"ab".repeat(20)}`] },
    },
  });

test("with a full disk the API and the follower get errors, and unrecorded results are not lost", async () => {
  const scene = await openScene(10);
  const { outbox, receiver, webhooks, startSender, ledger, allDelivered } = scene;
  const service = await startSender({ env: { ROLES: "api,deliver", LEASE_SECONDS: "30" } });
  const client = await clientOf(scene, await service.started);

  const makeRoom = await fillDisk(outbox.databaseUrl, ["attempts", "idempotency_keys"]);
  // The first try may find a connection that was ended when the disk filled up.
  await eventually(() => outbox.append(webhooks, 3));
  await receiver.waitFor(30);
  await expect(create(client)).rejects.toMatchObject({ status: 503 });
  await eventually(() =>
    expect(
      service.logged.filter(({ msg }) => String(msg).startsWith("results could not be recorded")).length,
    ).toBeGreaterThan(2),
  );
  const full = await ledger();
  expect([full.delivered.size, full.pending.size]).toEqual([0, 30]);

  await makeRoom();
  const after = await allDelivered();
  // The leases held all the time, so that the results waited in memory.
  expect(countDuplicates(after)).toBe(0);
  expect((await client.listWebhooks()).webhooks).toEqual([]);
  expect((await create(client)).status).toBe("active");
});

test("a block whose notifications find no room is not recorded at all", async () => {
  const { outbox, webhooks, startSender, receiver, ledger, allDelivered } = await openScene(3);
  await startSender();
  const makeRoom = await fillDisk(outbox.databaseUrl, ["notifications"]);
  await eventually(() => expect(outbox.append(webhooks, 2)).rejects.toMatchObject({ code: "53100" }));
  expect((await ledger()).recorded.size).toBe(0);
  await makeRoom();
  await eventually(() => outbox.append(webhooks, 2));
  expect((await allDelivered()).recorded.size).toBe(6);
  expect(receiver.deliveries.length).toBe(6);
});

test("without free connections the service answers what it can, 503 to the rest, and catches up", async () => {
  const scene = await openScene(10);
  const { outbox, startSender, allDelivered } = scene;
  const role = `few_${randomBytes(6).toString("hex")}`;
  await outbox.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'few' IN ROLE postgres`);
  const url = new URL(outbox.databaseUrl);
  url.username = role;
  url.password = "few";
  const service = await startSender({ databaseUrl: url.href, env: { ROLES: "api,deliver" } });
  onTestFinished(() => outbox.pool.query(`DROP ROLE ${role}`).then(() => undefined));
  const client = await clientOf(scene, await service.started);
  const limit = async (connections: number) => {
    await outbox.pool.query(`ALTER ROLE ${role} CONNECTION LIMIT ${connections}`);
    await outbox.pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", [role]);
  };

  await limit(1);
  const stopAppending = keepAppending(scene);
  const statuses = new Set<number>();
  const created = new Set<string>();
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.allSettled([1, 2, 3].map(() => create(client)));
    for (const answer of answers) {
      if (answer.status === "fulfilled") created.add(answer.value.id);
      else statuses.add(answer.reason.status);
    }
    await sleep(200);
  }
  expect(statuses).toEqual(new Set([503]));
  const confirmed = await stopAppending();

  await limit(-1);
  const { recorded } = await allDelivered();
  expect([...confirmed].filter((id) => !recorded.has(id))).toEqual([]);
  const listed = new Set<string>();
  for await (const { webhooks } of client.pages("listWebhooks", { query: { pageSize: 100 } }))
    for (const { id } of webhooks) listed.add(id);
  expect([...created].filter((id) => !listed.has(id))).toEqual([]);
  expect(service.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
