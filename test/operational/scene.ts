/** Accounts with operational webhooks, on an outbox without a chain, and what is reported to them. */
import type { components } from "../../generated/types.ts";
import { reportAll } from "../../server/operational/watch.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { putOperationalWebhook } from "../../server/store/operational.ts";
import { inTransaction } from "../../server/store/pool.ts";
import type { Outbox } from "../support/outbox.ts";

export type OperationalEvent = components["schemas"]["OperationalEvent"];

/** How long an endpoint fails before its webhook becomes inactive, in ms. */
export const failingLimitMs = 5 * 24 * 60 * 60 * 1_000;

export function operationalScene(outbox: Outbox) {
  const { pool } = outbox;
  const report = (options: Partial<Parameters<typeof reportAll>[0]> = {}) =>
    reportAll({ pool, inactiveAfterDays: 5, holdMs: 0, ...options });
  return {
    report,
    register: (accountId: number, url?: string) =>
      inTransaction(pool, (db) => putOperationalWebhook(db, accountId, { url, format: "signed", headers: [] }, noKeys)),
    /** What was reported to an account, in order. */
    async reported(accountId: number): Promise<Omit<OperationalEvent, "messageId">[]> {
      const { rows } = await pool.query<{ body: string }>(
        `SELECT e.body FROM notifications n JOIN events e ON e.id = n.event_id AND e.recorded_on = n.recorded_on
         JOIN webhooks w ON w.id = n.webhook_id WHERE w.account_id = $1 AND w.chain_id = 'operational' ORDER BY n.sequence`,
        [accountId],
      );
      return rows.map(({ body }) => JSON.parse(body));
    },
    /** Makes an endpoint one that has failed for a part of the time after which it becomes inactive. */
    async failFor(webhook: { id: string; shard: number }, part: number) {
      await pool.query(
        `INSERT INTO endpoint_states (shard, webhook_id, failing_since)
         VALUES ($1, $2, clock_timestamp() - make_interval(secs => $3::float8))
         ON CONFLICT (webhook_id) DO UPDATE SET failing_since = EXCLUDED.failing_since`,
        [webhook.shard, webhook.id, (part * failingLimitMs) / 1_000],
      );
    },
  };
}
