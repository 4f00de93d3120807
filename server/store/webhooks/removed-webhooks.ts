/**
 * Removes what deleted webhooks leave behind: up to a million addresses, and as many retries. Deleting a webhook takes its row only, since
 * no block of its chain is recorded meanwhile. A row without a webhook concerns nobody: whoever reads it looks for the webhook first.
 */
import type { Logger } from "pino";
import { inTransaction, type Pool } from "../pool.ts";

/** So many rows in one transaction: 30 ms. */
const part = 5_000;
const periodMs = 2_000;

/** Removes a part of what one webhook has left. @returns whether there may be more */
export async function removePart(pool: Pool): Promise<boolean> {
  // Mostly there is nothing, which one statement tells.
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
    for (const table of ["webhook_addresses", "retries"]) {
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

/** Removes them as they come, until stopped. Several processes may. */
export function startRemoving(pool: Pool, log: Logger): { stop(): void } {
  let stopped = false;
  let removing = false;
  const run = async () => {
    if (removing) return;
    removing = true;
    try {
      while (!stopped && (await removePart(pool)));
    } catch (err) {
      if (!stopped) log.warn({ err }, "what deleted webhooks left could not be removed; it will be tried again");
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
