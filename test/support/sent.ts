/** Puts notifications and attempts into the tables, as a follower and a delivery process do. */
import { randomBytes } from "node:crypto";
import { messageIdOf } from "../../server/matching/message-id.ts";
import { lockChainExclusively } from "../../server/store/chains/lock.ts";
import { shardOf } from "../../server/store/delivery/shards.ts";
import { appendNotifications } from "../../server/store/outbox/append.ts";
import { inTransaction, type Pool } from "../../server/store/pool.ts";
import { example } from "./examples.ts";

const { event } = example<{ event: { transaction: Record<string, unknown> } }>("notification.native-transfer");

/** Records notifications for a webhook on chain 43114, each of a transaction of its own. @returns their messageIds */
export async function record(pool: Pool, webhookId: string, count: number): Promise<string[]> {
  const hash = () => `0x${randomBytes(32).toString("hex")}`;
  const notifications = Array.from({ length: count }, (_, transactionIndex) => {
    const [blockHash, transactionHash] = [hash(), hash()];
    const transaction = { ...event.transaction, chainId: "43114", blockHash, txHash: transactionHash };
    const identity = { webhookId, blockHash, transactionHash, occurrence: 0 };
    return {
      ...identity,
      shard: shardOf(webhookId),
      messageId: messageIdOf(identity),
      event: {
        ...{ blockNumber: 100, blockHash, transactionHash, transactionIndex, removed: false },
        body: JSON.stringify({ transaction }),
      },
    };
  });
  await inTransaction(pool, async (db) => {
    await lockChainExclusively(db, "43114");
    await appendNotifications(db, "43114", notifications);
  });
  return notifications.map(({ messageId }) => messageId);
}

/** Puts a first attempt of each of these sequences on record. A failed one is tried again in a minute, or never. */
export async function attempt(
  pool: Pool,
  webhookId: string,
  sequences: readonly number[],
  outcome: "succeeded" | "failed" | "failed for good",
): Promise<void> {
  const failed = outcome !== "succeeded";
  await pool.query(
    `INSERT INTO attempts (recorded_on, shard, webhook_id, sequence, number, sent_at, duration_ms, response_status, error_class)
     SELECT recorded_on, shard, webhook_id, sequence, 1, now(), 5, $3, $4 FROM notifications
     WHERE webhook_id = $1 AND sequence = ANY($2::bigint[])`,
    [webhookId, sequences, failed ? 500 : 204, failed ? "bad_status" : null],
  );
  if (!failed) return;
  await pool.query(
    `INSERT INTO retries (shard, account_id, webhook_id, sequence, recorded_on, attempts, step, due_at)
     SELECT shard, (SELECT account_id FROM webhooks WHERE id = webhook_id), webhook_id, sequence, recorded_on, 1, 1, $3::timestamptz FROM notifications
     WHERE webhook_id = $1 AND sequence = ANY($2::bigint[])`,
    [webhookId, sequences, outcome === "failed" ? new Date(Date.now() + 60_000) : null],
  );
}
