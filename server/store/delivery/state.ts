/** What delivery records besides attempts, under the same fence: endpoints' states, streams' cursors, and webhooks that become inactive. */

import type { Queryable } from "../pool.ts";
import { type Fence, fenceValues, ownedShards } from "./shards.ts";

/** An endpoint's new state. Without backlog and failure its row is deleted. */
export type StateChange = { shard: number; webhookId: string; backlogFrom: number | null; failing: boolean };

/** Records endpoints' states. While an endpoint keeps failing, the time of its first failure stays. */
export async function writeEndpointStates(db: Queryable, fence: Fence, changes: readonly StateChange[]): Promise<void> {
  await db.query({
    name: "write-states",
    text: `WITH ${ownedShards}, change AS MATERIALIZED (
        SELECT c.* FROM unnest($4::smallint[], $5::uuid[], $6::bigint[], $7::boolean[]) AS c(shard, webhook_id, backlog_from, failing)
        JOIN owned_shards USING (shard)),
      ordinary AS (
        DELETE FROM endpoint_states s USING change c WHERE s.webhook_id = c.webhook_id AND c.backlog_from IS NULL AND NOT c.failing)
      INSERT INTO endpoint_states (shard, webhook_id, backlog_from, failing_since)
      SELECT shard, webhook_id, backlog_from, CASE WHEN failing THEN clock_timestamp() END
      FROM change WHERE backlog_from IS NOT NULL OR failing
      ON CONFLICT (webhook_id) DO UPDATE SET backlog_from = EXCLUDED.backlog_from,
        failing_since = CASE WHEN EXCLUDED.failing_since IS NULL THEN NULL ELSE COALESCE(endpoint_states.failing_since, EXCLUDED.failing_since) END`,
    values: [
      ...fenceValues(fence),
      changes.map(({ shard }) => shard),
      changes.map(({ webhookId }) => webhookId),
      changes.map(({ backlogFrom }) => backlogFrom),
      changes.map(({ failing }) => failing),
    ],
  });
}

/** Moves the streams' cursors. */
export async function writeShardCursors(
  db: Queryable,
  fence: Fence,
  cursors: readonly { shard: number; chainId: string; position: number; recordedOn: string }[],
): Promise<void> {
  await db.query({
    name: "write-stream-cursors",
    text: `WITH ${ownedShards}
      INSERT INTO delivery_cursors (shard, chain_id, position, recorded_on)
      SELECT c.* FROM unnest($4::smallint[], $5::text[], $6::bigint[], $7::date[]) AS c(shard, chain_id, position, recorded_on)
      JOIN owned_shards USING (shard)
      ON CONFLICT (shard, chain_id) DO UPDATE SET position = EXCLUDED.position, recorded_on = EXCLUDED.recorded_on`,
    values: [
      ...fenceValues(fence),
      cursors.map(({ shard }) => shard),
      cursors.map(({ chainId }) => chainId),
      cursors.map(({ position }) => position),
      cursors.map(({ recordedOn }) => recordedOn),
    ],
  });
}

/** Webhooks to make inactive if the conditions hold. */
export type Deactivation = {
  /** Webhooks whose endpoint is gone. A webhook whose url has changed since stays as it is. */
  gone: readonly { webhookId: string; url: string }[];
  /** Webhooks whose endpoint failed. They become inactive if it has failed for longer than `failingLimitMs`. */
  failing: readonly string[];
  failingLimitMs: number;
};

/** Makes webhooks inactive because of their endpoints. @returns their ids */
export async function deactivate(
  db: Queryable,
  fence: Fence,
  { gone, failing, failingLimitMs }: Deactivation,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: "deactivate",
    text: `WITH ${ownedShards}, target AS (
        SELECT id, url, 'endpoint_gone' AS reason FROM unnest($4::uuid[], $5::text[]) AS gone(id, url)
        UNION ALL
        SELECT webhook_id, NULL, 'endpoint_failing' FROM endpoint_states
        WHERE webhook_id = ANY($6::uuid[]) AND failing_since < clock_timestamp() - make_interval(secs => $7::float8 / 1000))
      UPDATE webhooks w SET status = 'inactive', status_reason = target.reason, status_since = clock_timestamp()
      FROM target, owned_shards
      WHERE w.id = target.id AND w.url = COALESCE(target.url, w.url) AND w.shard = owned_shards.shard AND w.status = 'active'
      RETURNING w.id`,
    values: [
      ...fenceValues(fence),
      gone.map(({ webhookId }) => webhookId),
      gone.map(({ url }) => url),
      failing,
      failingLimitMs,
    ],
  });
  return rows.map(({ id }) => id);
}
