/** What a move would do, for an operator who wants to know before. It changes nothing. */
import type { Keyring } from "../../settings/keyring.ts";
import { SHARDS } from "../delivery/shards.ts";
import type { Queryable } from "../pool.ts";
import { assertMayBegin } from "./begin.ts";
import { assertSameSchema } from "./checks.ts";
import { accountIdOf, type Cells } from "./record.ts";

/** How far the two cells are with one of the account's lanes. The newest block of `here` is B, if the move happened now. */
type PlannedLane = { chainId: string; traces: boolean; webhooks: number; here: number; there: number | null };

export type Plan = {
  webhooks: number;
  addresses: number;
  keys: number;
  /** Notifications that the old cell will still send. */
  pending: number;
  lanes: PlannedLane[];
};

/** @throws {ServiceError} what a move would be refused with */
export async function planMove(cells: Cells, account: string, keyring: Keyring): Promise<Plan> {
  const { from, to } = cells;
  await assertSameSchema(cells);
  const accountId = await accountIdOf(from.pool, account);
  await assertMayBegin(cells, account, keyring);
  const { rows } = await from.pool.query<Pick<Plan, "webhooks" | "addresses" | "keys">>(
    `SELECT webhooks, addresses, (SELECT count(*) FROM api_keys WHERE account_id = a.id AND revoked_at IS NULL) AS keys
     FROM accounts a WHERE id = $1`,
    [accountId],
  );
  const lanes = await from.pool.query<Omit<PlannedLane, "there">>(
    `SELECT chain_id AS "chainId", l.traces, count(*) AS webhooks, l.cursor_number AS here
     FROM webhooks w JOIN chain_lanes l USING (chain_id, lane) WHERE account_id = $1
     GROUP BY chain_id, lane, l.traces, l.cursor_number ORDER BY chain_id, lane`,
    [accountId],
  );
  const there = await to.pool.query<{ chainId: string; traces: boolean; number: number | null }>(
    `SELECT chain_id AS "chainId", traces, max(cursor_number) AS number FROM chain_lanes GROUP BY chain_id, traces`,
  );
  const furthest = ({ chainId, traces }: Omit<PlannedLane, "there">) =>
    there.rows.find((lane) => lane.chainId === chainId && lane.traces === traces)?.number ?? null;
  return {
    ...(rows[0] ?? { webhooks: 0, addresses: 0, keys: 0 }),
    pending: await countPending(from.pool, accountId),
    lanes: lanes.rows.map((lane) => ({ ...lane, there: furthest(lane) })),
  };
}

/**
 * Counts an account's notifications that no attempt has delivered and that will be attempted, in this cell: not those that are only read by feeds. Of the sequences in a backlog, those
 * of an earlier stay elsewhere are another cell's to send.
 */
export async function countPending(db: Queryable, accountId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `WITH own AS MATERIALIZED (SELECT id FROM webhooks WHERE account_id = $1 AND url IS NOT NULL)
     SELECT (SELECT count(*) FROM retries r JOIN own ON own.id = r.webhook_id WHERE due_at IS NOT NULL AND NOT delivered)
       + (SELECT count(*) FROM endpoint_states e JOIN own ON own.id = e.webhook_id
          JOIN notifications n ON n.webhook_id = e.webhook_id AND n.sequence >= e.backlog_from AND n.position > 0)
       + (SELECT count(*) FROM chains c CROSS JOIN unnest($2::smallint[]) s(shard)
          LEFT JOIN delivery_cursors d ON d.shard = s.shard AND d.chain_id = c.chain_id
          JOIN LATERAL (
            SELECT webhook_id, recorded_on, sequence FROM notifications
            WHERE shard = s.shard AND chain_id = c.chain_id AND position > COALESCE(d.position, 0) AND webhook_id IN (SELECT id FROM own)) n ON true
          LEFT JOIN endpoint_states e ON e.webhook_id = n.webhook_id
          WHERE n.sequence < COALESCE(e.backlog_from, n.sequence + 1)
            AND NOT EXISTS (SELECT FROM attempts a
              WHERE a.recorded_on = n.recorded_on AND a.webhook_id = n.webhook_id AND a.sequence = n.sequence)) AS count`,
    [accountId, Array.from({ length: SHARDS }, (_, shard) => shard)],
  );
  return Number(rows[0]?.count ?? 0);
}
