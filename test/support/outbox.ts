/** Fills the outbox without a chain: webhooks, and notifications for them, recorded as a follower would. */
import { randomBytes, randomUUID } from "node:crypto";
import { ensureChain } from "../../server/store/chain-cursor.ts";
import { lockChainExclusively } from "../../server/store/chain-lock.ts";
import { migrate } from "../../server/store/migrate.ts";
import { appendNotifications, type NewNotification } from "../../server/store/outbox.ts";
import { createPool, inTransaction, type Pool } from "../../server/store/pool.ts";
import { shardOf } from "../../server/store/shards.ts";
import { createTestDatabase } from "./database.ts";

const chainId = "43112";
const hash = () => `0x${randomBytes(32).toString("hex")}`;

export type Outbox = {
  pool: Pool;
  url: string;
  /** Makes an active webhook. @returns its id */
  createWebhook(url: string): Promise<string>;
  /** Records `count` notifications for each webhook, in one transaction. @returns their messageIds */
  record(webhookIds: readonly string[], count?: number): Promise<string[]>;
  close(): Promise<void>;
};

export async function openOutbox(): Promise<Outbox> {
  const database = await createTestDatabase();
  const pool = createPool(database.url);
  await migrate(pool);
  await ensureChain(pool, chainId);
  const { rows } = await pool.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('test') RETURNING id");
  return {
    pool,
    url: database.url,
    async createWebhook(url) {
      const id = randomUUID();
      await pool.query(
        `INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name, description,
           event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count)
         VALUES ($1, $2, $3, $4, $5, 'active', 'created', now(), now(), '', '', 'address_activity', '{}', false, false, 0, 0)`,
        [id, rows[0]?.id, shardOf(id), chainId, url],
      );
      await pool.query("INSERT INTO webhook_sequences (webhook_id) VALUES ($1)", [id]);
      await pool.query("INSERT INTO webhook_secrets (webhook_id, secret) VALUES ($1, $2)", [id, randomBytes(32)]);
      return id;
    },
    async record(webhookIds, count = 1) {
      const notifications: NewNotification[] = [];
      for (let index = 0; index < count; index += 1) {
        const event = {
          blockNumber: index,
          blockHash: hash(),
          transactionHash: hash(),
          transactionIndex: 0,
          removed: false,
          body: `{"transaction":{"index":${index}}}`,
        };
        for (const webhookId of webhookIds)
          notifications.push({ webhookId, shard: shardOf(webhookId), messageId: randomUUID(), occurrence: 0, event });
      }
      await inTransaction(pool, async (db) => {
        await lockChainExclusively(db, chainId);
        await appendNotifications(db, chainId, notifications);
      });
      return notifications.map(({ messageId }) => messageId);
    },
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}
