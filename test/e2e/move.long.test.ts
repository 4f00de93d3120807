/** An account moves to another cell while both serve, follow one chain and deliver: as its owner, its endpoints and the operator see it. */
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createWebhooksClient, type WebhooksClient } from "../../client/index.ts";
import { verifyNotification } from "../../client/receiver/index.ts";
import { run } from "../../scripts/command/run.ts";
import { type Service, startService } from "../../server/service.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { type LocalChain, openChain } from "../chain/local-chain.ts";
import { runHere } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startWorld, testChainId, testConfig, type World } from "../support/service.ts";

const address = `0x${"f2".repeat(20)}`;

let old: World;
let newCell: Service;
let newDatabase: TestDatabase;
let chain: LocalChain;
let key: string;
const log = pino({ level: process.env.TEST_LOG ?? "silent" });

beforeAll(async () => {
  old = await startWorld({ chain: { finality: { confirmations: 4 } } });
  newDatabase = await createTestDatabase();
  newCell = await startService(testConfig(newDatabase.url, old.config.chains), log);
  chain = await openChain(old.node.rpcUrl);
  ({ key } = await createKey(old.service.database.pool, { account: "acme", scopes: ["read", "write"] }));
  vi.stubEnv("DATABASE_URL", old.config.databaseUrl ?? "");
  vi.stubEnv("NEW_CELL", newDatabase.url);
});
afterAll(async () => {
  await newCell.stop();
  await old.stop();
  await newDatabase.drop();
});

const clientOf = ({ url }: Service): WebhooksClient =>
  createWebhooksClient({ baseUrl: url ?? "", apiKey: key, maxRetries: 0 });
const accounts = (...args: string[]) => runHere(run, ["accounts", ...args]);
const move = (...options: string[]) => accounts("move", "acme", "--to", "env:NEW_CELL", ...options);

const reported = (path: string) =>
  old.receiver.deliveries
    .filter((delivered) => delivered.path === path)
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(
      ({ notification: { event }, sequence }) =>
        `${sequence}:${event.removed ? "-" : "+"}${event.transaction.blockNumber}`,
    )
    .join(" ");

async function followed(block: number): Promise<void> {
  for (const service of [old.service, newCell])
    await expect
      .poll(async () => Number((await clientOf(service).listChains()).chains[0]?.followedBlock ?? -1))
      .toBeGreaterThanOrEqual(block);
}

test("nothing is lost, and the new cell retracts what the old one notified", async () => {
  // Both cells begin at block 0, which is final then.
  await followed(0);
  await chain.transfers(`0x${"01".repeat(20)}`, 7);
  await followed(7);
  const here = clientOf(old.service);
  const there = clientOf(newCell);
  const webhook = await here.createWebhook({
    body: {
      url: `${old.receiver.url}/acme`,
      chainId: testChainId,
      eventType: "address_activity",
      metadata: { addresses: [address] },
    },
  });
  const { secret } = await here.getWebhookSecret({ path: { id: webhook.id } });
  await chain.transfers(address, 2);
  await old.receiver.waitFor(2);

  // The endpoint fails, so that something waits in the old cell when the account leaves.
  old.receiver.answer = (_, response) => response.writeHead(503).end();
  await chain.transfers(address, 1);
  await old.receiver.waitFor(3);
  const planned = await move("--dry-run");
  expect(planned.stderr).toContain("Nothing was changed. acme can move from 127.0.0.1");
  await expect(there.getWebhook({ path: { id: webhook.id } })).rejects.toMatchObject({ status: 401 });

  const moved = await move();
  expect(moved.stderr).toMatch(/still has 1 notification to send/);
  expect(moved.code).toBe(0);
  // A proxy with an old map does no harm.
  await expect(here.getWebhook({ path: { id: webhook.id } })).rejects.toMatchObject({
    status: 503,
    retryAfterSeconds: 5,
    message: expect.stringContaining("The account is moving to another cell; try again in 5 seconds."),
  });
  expect(await there.getWebhook({ path: { id: webhook.id } })).toMatchObject({
    ...webhook,
    failingSince: expect.anything(),
  });
  expect(await there.getWebhookSecret({ path: { id: webhook.id } })).toEqual({ secret });

  old.receiver.answer = (_, response) => response.writeHead(204).end();
  // Two blocks that the old cell notified of leave the chain, and one that the new one did.
  await chain.transfers(address, 1);
  await followed(11);
  await chain.reorg(3, [{ to: address, at: 1 }]);
  await old.receiver.waitFor(9);
  expect(reported("/acme")).toBe("1:+8 2:+9 3:+10 3:+10 4:+11 5:-11 6:-10 7:-9 8:+10");
  for (const { headers, rawBody } of old.receiver.deliveries) await verifyNotification(rawBody, headers, secret);

  // The lists show what the new cell recorded; the old cell's history is there until its retention ends.
  const { notifications } = await there.listNotifications({ path: { id: webhook.id } });
  expect(notifications.map(({ sequence }) => sequence)).toEqual([4, 5, 6, 7, 8]);
  const first = old.receiver.deliveries[0]?.notification.messageId ?? "";
  await expect(there.resendNotification({ path: { id: webhook.id, messageId: first } })).rejects.toMatchObject({
    status: 404,
  });

  // Whatever changes now is passed on to what the old cell still sends, when the operator says so.
  await there.updateWebhook({ path: { id: webhook.id }, body: { url: `${old.receiver.url}/changed` } });
  const again = await move();
  expect(again.stderr).toContain("acme had moved.");
  const { rows } = await old.service.database.pool.query("SELECT url FROM webhooks WHERE id = $1", [webhook.id]);
  expect(rows).toEqual([{ url: `${old.receiver.url}/changed` }]);
  const aborted = await move("--abort");
  expect(aborted.stderr).toMatch(/^Using the database [^\n]+ \(DATABASE_URL\)\.\nNo move of acme is in progress\.\n$/);
  expect(aborted.code).toBe(1);
});
