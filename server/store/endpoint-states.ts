/** What a delivery process holds of a webhook's endpoint: where and how to send, and what is out of the ordinary. */
import type { Queryable } from "./pool.ts";

export type EndpointRecord = {
  webhookId: string;
  shard: number;
  chainId: string;
  url: string;
  active: boolean;
  /** Every secret that signs, the newest first; `expiresAt` in ms, null for the current one. */
  secrets: { secret: Buffer; expiresAt: number | null }[];
  /** First attempts from this sequence on wait for the endpoint. */
  backlogFrom: number | null;
  /** Every attempt of late has failed. */
  failing: boolean;
};

type Row = {
  id: string;
  shard: number;
  chain_id: string;
  url: string;
  active: boolean;
  secrets: Buffer[];
  expiries: (Date | null)[];
  backlog_from: number | null;
  failing: boolean;
};

/** @returns the endpoints of the webhooks that still exist */
export async function readEndpoints(db: Queryable, webhookIds: readonly string[]): Promise<EndpointRecord[]> {
  const { rows } = await db.query<Row>({
    name: "read-endpoints",
    text: `SELECT w.id, w.shard, w.chain_id, w.url, w.status = 'active' AS active, s.secrets, s.expiries, e.backlog_from,
             e.failing_since IS NOT NULL AS failing
           FROM webhooks w
           CROSS JOIN LATERAL (
             SELECT array_agg(secret ORDER BY created_at DESC) AS secrets, array_agg(expires_at ORDER BY created_at DESC) AS expiries
             FROM webhook_secrets WHERE webhook_id = w.id AND (expires_at IS NULL OR expires_at > clock_timestamp())) s
           LEFT JOIN endpoint_states e ON e.webhook_id = w.id
           WHERE w.id = ANY($1::uuid[])`,
    values: [webhookIds],
  });
  return rows.map((row) => ({
    webhookId: row.id,
    shard: row.shard,
    chainId: row.chain_id,
    url: row.url,
    active: row.active,
    secrets: (row.secrets ?? []).map((secret, index) => ({
      secret,
      expiresAt: row.expiries[index]?.getTime() ?? null,
    })),
    backlogFrom: row.backlog_from,
    failing: row.failing,
  }));
}
