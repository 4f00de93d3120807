/**
 * Removes the rows that deleted webhooks leave: up to a million addresses, and as many retries. Deleting a webhook removes only its row,
 * since its chain's recording waits meanwhile, and cancels its replays. A row without a webhook has no effect: every reader looks for the webhook
 * first.
 */
import type { Logger } from "../../base/log.ts";
import { inTransaction, type Pool } from "../pool.ts";

/** The rows deleted in one transaction, which takes 30 ms. */
const part = 5_000;
const periodMs = 10_000;

/** Removes a part of one webhook's rows. @returns whether there may be more */
export async function removePart(pool: Pool): Promise<boolean> {
  // Mostly there is nothing, and one statement shows that.
  const { rowCount } = await pool.query("SELECT FROM removed_webhooks LIMIT 1");
  return rowCount === 0 ? false : removeNext(pool);
}

function removeNext(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ id: string }>(
      "SELECT webhook_id AS id FROM removed_webhooks ORDER BY removed_at LIMIT 1 FOR UPDATE SKIP LOCKED",
    );
    const [removed] = rows;
    if (!removed) return false;
    // Those of addresses first, or each part would change them.
    for (const table of [
      "webhook_address_digests",
      "address_changes",
      "webhook_addresses",
      "retries",
      "held_notifications",
      "replays",
    ]) {
      const { rowCount } = await db.query(
        `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE webhook_id = $1 LIMIT $2))`,
        [removed.id, part],
      );
      if (rowCount === part) return true;
    }
    await db.query("DELETE FROM removed_webhooks WHERE webhook_id = $1", [removed.id]);
    return true;
  });
}

/** Removes the rows of deleted webhooks, until stopped. Several processes may do so. */
export function startRemoving(pool: Pool, log: Logger): { stop(): void } {
  let stopped = false;
  let removing = false;
  const run = async () => {
    if (removing) return;
    removing = true;
    try {
      while (!stopped && (await removePart(pool)));
    } catch (err) {
      if (!stopped) log.warn({ err }, "rows of deleted webhooks could not be removed; it will be retried");
    } finally {
      removing = false;
    }
  };
  const timer = setInterval(() => void run(), periodMs);
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
