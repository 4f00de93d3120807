/** An outbox without a chain: webhooks and notifications on a database of a test's own, and deliveries that send them. */

import { randomBytes, randomUUID } from "node:crypto";
import { pino } from "pino";
import { expect } from "vitest";
import { type Delivery, type DeliveryOptions, startDelivery } from "../../server/delivery/deliver.ts";
import { messageIdOf } from "../../server/matching/message-id.ts";
import type { WebhookOptions } from "../../server/matching/new-webhook.ts";
import { type Keyring, noKeys } from "../../server/settings/keyring.ts";
import { createKey, findCaller } from "../../server/store/accounts/keys.ts";
import { lockChainExclusively } from "../../server/store/chains/lock.ts";
import { announceWork } from "../../server/store/delivery/announcements.ts";
import { appendNotifications, type NewNotification } from "../../server/store/outbox/append.ts";
import { createPool, inTransaction, type Pool } from "../../server/store/pool.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { getSecret } from "../../server/store/webhooks/secrets.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { chainAt } from "./move-cursor.ts";
import { migrateAt } from "./template.ts";

export const outboxChainId = "43112";

const plainWebhook = {
  chainId: outboxChainId,
  eventType: "address_activity" as const,
  name: "",
  description: "",
  includeInternalTxs: false,
  includeLogs: false,
  eventSignatures: [],
};

export type OutboxWebhook = { id: string; shard: number; accountId: number; secret: Buffer };

/** An attempt as it is on record. */
export type AttemptRow = {
  sequence: number;
  number: number;
  status: number | null;
  body: string | null;
  error: string | null;
  durationMs: number;
};

export type Outbox = {
  databaseUrl: string;
  pool: Pool;
  /** @param url undefined for one that is only read by its feed @param shard to be in one shard with another webhook @param accountId the outbox's own account unless given */
  addWebhook(
    url: string | undefined,
    shard?: number,
    accountId?: number,
    options?: WebhookOptions,
  ): Promise<OutboxWebhook>;
  /** @returns the id of one more account */
  addAccount(): Promise<number>;
  /** Records so many transactions that each concern all of the webhooks, and announces them. @param body of the event, as JSON @returns the messageIds */
  append(webhooks: readonly OutboxWebhook[], count?: number, body?: string): Promise<string[]>;
  /** Starts to deliver, to any address, with long leases and time limits; ended with the outbox at the latest. */
  deliver(options?: Partial<DeliveryOptions>): Delivery;
  /** A webhook's attempts by sequence and number. */
  attempts(webhook: OutboxWebhook): Promise<AttemptRow[]>;
  /** How many notifications have not been attempted. */
  unattempted(): Promise<number>;
  /** Waits until everything has been attempted and nothing is left to do but retries: no backlog, every cursor at its end. */
  atRest(): Promise<void>;
  close(): Promise<void>;
};

/** @param database to migrate, use and drop with the outbox; by default its own @param keyring of whoever creates and delivers */
export async function openOutbox(database?: TestDatabase, keyring = noKeys): Promise<Outbox> {
  if (database) await migrateAt(database.url);
  return openOutboxIn(database ?? (await createTestDatabase()), keyring);
}

async function openOutboxIn(database: TestDatabase, keyring: Keyring): Promise<Outbox> {
  const pool = createPool(database.url, { max: 20, onError: () => undefined });
  await chainAt(pool, outboxChainId, 0);
  const addAccount = async (name: string = randomUUID()) => {
    const { key } = await createKey(pool, { account: name, scopes: ["write"] });
    return (await findCaller(pool, key))?.accountId ?? 0;
  };
  const ownAccountId = await addAccount("outbox");
  const deliveries: Delivery[] = [];

  /** A few at a time: an account makes one change after the other, and of hundreds the last would wait too long for a connection. */
  const adding: Promise<unknown>[] = Array.from({ length: 5 }, () => Promise.resolve());
  function addWebhook(url: string | undefined, accountId: number, options?: WebhookOptions): Promise<OutboxWebhook> {
    const added = (adding.shift() ?? Promise.resolve()).then(() => addNext(url, accountId, options));
    adding.push(added.catch(() => undefined));
    return added;
  }

  async function addNext(url: string | undefined, accountId: number, options?: WebhookOptions): Promise<OutboxWebhook> {
    const { id } = await inTransaction(pool, (db) =>
      createWebhook(
        db,
        accountId,
        {
          ...plainWebhook,
          ...(url !== undefined && { url }),
          addresses: [`0x${randomBytes(20).toString("hex")}`],
          ...(options && { options }),
        },
        keyring,
      ),
    );
    const { rows } = await pool.query<{ shard: number }>("SELECT shard FROM webhooks WHERE id = $1", [id]);
    const { secret } = await getSecret(pool, accountId, id, keyring);
    return { id, shard: rows[0]?.shard ?? -1, accountId, secret };
  }

  const outbox: Outbox = {
    databaseUrl: database.url,
    pool,
    addAccount,
    async addWebhook(url, shard, accountId = ownAccountId, options = undefined) {
      for (;;) {
        const webhook = await addWebhook(url, accountId, options);
        if (shard === undefined || webhook.shard === shard) return webhook;
        await pool.query("DELETE FROM webhooks WHERE id = $1", [webhook.id]);
      }
    },
    async append(webhooks, count = 1, body = '{"transaction":{}}') {
      const messageIds = await appendUnannounced(pool, webhooks, count, body);
      // As the follower does, nobody waits for it.
      void announceWork(pool, "notifications");
      return messageIds;
    },
    deliver(options = {}) {
      const log = pino({ level: process.env.TEST_LOG ?? "silent" });
      const defaults = { pool, log, keyring, allowPrivateTargets: true, leaseSeconds: 60, timeoutMs: 60_000 };
      const delivery = startDelivery({ ...defaults, ...options });
      deliveries.push(delivery);
      return delivery;
    },
    async attempts({ id }) {
      const { rows } = await pool.query<AttemptRow>(
        `SELECT sequence, number, response_status AS status, response_body AS body, error_class AS error, duration_ms AS "durationMs"
         FROM attempts WHERE webhook_id = $1 ORDER BY sequence, number`,
        [id],
      );
      return rows;
    },
    async unattempted() {
      const { rows } = await pool.query<{ count: number }>(
        "SELECT count(*) FROM notifications n WHERE NOT EXISTS (SELECT FROM attempts a WHERE a.webhook_id = n.webhook_id AND a.sequence = n.sequence)",
      );
      return rows[0]?.count ?? Number.NaN;
    },
    async atRest() {
      const text = `SELECT (SELECT count(*) FROM endpoint_states WHERE backlog_from IS NOT NULL) AS backlogs, count(*) AS behind
        FROM (SELECT shard, max(position) AS last FROM notifications GROUP BY shard) s
        WHERE COALESCE((SELECT position FROM delivery_cursors c WHERE c.shard = s.shard), 0) < last`;
      await eventually(async () => {
        expect(await outbox.unattempted()).toBe(0);
        expect((await pool.query(text)).rows).toEqual([{ backlogs: 0, behind: 0 }]);
      });
    },
    async close() {
      await Promise.all(deliveries.map((delivery) => delivery.stop()));
      await pool.end();
      await database.drop();
    },
  };
  return outbox;
}

/** The same as `append`, as if the announcement was missed. */
export function appendUnannounced(
  pool: Pool,
  webhooks: readonly OutboxWebhook[],
  count = 1,
  body?: string,
): Promise<string[]> {
  return inTransaction(pool, async (db) => {
    await lockChainExclusively(db, outboxChainId);
    const notifications = notificationsOf(webhooks, count, body);
    await appendNotifications(db, outboxChainId, notifications);
    return notifications.map(({ messageId }) => messageId);
  });
}

/** So many transactions that each concern all of the webhooks. */
export function notificationsOf(
  webhooks: readonly OutboxWebhook[],
  count: number,
  body = '{"transaction":{}}',
): NewNotification[] {
  return Array.from({ length: count }).flatMap(() => {
    const blockHash = `0x${randomBytes(32).toString("hex")}`;
    const transactionHash = `0x${randomBytes(32).toString("hex")}`;
    const event = { blockNumber: 1, blockHash, transactionHash, transactionIndex: 0, removed: false, body };
    return webhooks.map(({ id, shard }) => ({
      webhookId: id,
      shard,
      occurrence: 0,
      event,
      messageId: messageIdOf({ webhookId: id, blockHash, transactionHash, occurrence: 0 }),
    }));
  });
}
