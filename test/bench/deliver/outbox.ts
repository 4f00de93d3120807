/** Fills an outbox as fast as PostgreSQL can, and says how far it has been delivered. */

import type { WebhookOptions } from "../../../server/matching/new-webhook.ts";
import { announceWork } from "../../../server/store/delivery/announcements.ts";
import { migrate } from "../../../server/store/migrate.ts";
import { createPool, type Pool } from "../../../server/store/pool.ts";
import { chainAt } from "../../support/move-cursor.ts";

export const chainId = "43114";

/** Together with what is around it a body of 2 KB. */
const eventLength = 1_880;

/**
 * Makes the chain and so many webhooks, with the shards as the service gives them out: evenly.
 *
 * @param urlOf of the nth webhook
 * @param accountOf of the nth webhook: 1, unless a bench compares accounts
 * @param options of each webhook
 */
export async function openBenchOutbox(
  databaseUrl: string,
  {
    webhooks,
    urlOf,
    accountOf = () => 1,
    options = null,
  }: {
    webhooks: number;
    urlOf: (n: number) => string;
    accountOf?: ((n: number) => number) | undefined;
    options?: WebhookOptions | null | undefined;
  },
): Promise<Pool> {
  const pool = createPool(databaseUrl);
  await migrate(pool);
  await chainAt(pool, chainId, 0);
  const urls = Array.from({ length: webhooks }, (_, n) => urlOf(n));
  const accounts = urls.map((_, n) => accountOf(n));
  await pool.query("INSERT INTO accounts (name) SELECT 'bench ' || n FROM generate_series(1, $1::int) n", [
    accounts.reduce((a, b) => Math.max(a, b)),
  ]);
  await pool.query(
    `INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name,
       description, event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count, options)
     SELECT md5(n::text)::uuid, account, n % 32, $1, url, 'active', 'created', now(), now(), '', '',
       'address_activity', '{}', false, true, 1, 0, $4 FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS w(url, account, n)`,
    [chainId, urls, accounts, options],
  );
  await pool.query("INSERT INTO webhook_sequences (webhook_id, last_sequence) SELECT id, 0 FROM webhooks");
  await pool.query("INSERT INTO webhook_secrets (webhook_id, secret) SELECT id, sha256(id::text::bytea) FROM webhooks");
  return pool;
}

export type RecordOptions = { stamped?: boolean; only?: number; account?: number; random?: boolean; length?: number };

/**
 * Records notifications, each with an event of its own, to webhooks in turn, as one block would.
 *
 * @param options.stamped the events say when they were recorded, for who measures how long they take
 * @param options.only records all to the nth webhook, from 1
 * @param options.account records all to this account's webhooks
 * @param options.length of an event, by default that of a body of 2 KB
 * @param options.random the events do not compress, as inputs and hashes do not
 */
export async function record(
  pool: Pool,
  count: number,
  { stamped = false, only, account, random = false, length = eventLength }: RecordOptions = {},
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const { rows } = await client.query<{ position: number }>(
      "UPDATE chains SET last_position = last_position + $2 WHERE chain_id = $1 RETURNING last_position - $2 AS position",
      [chainId, count],
    );
    const position = rows[0]?.position ?? 0;
    const { rows: ids } = await client.query<{ first: number }>(
      `SELECT setval(pg_get_serial_sequence('events', 'id'), nextval(pg_get_serial_sequence('events', 'id')) + $1) - $1 AS first`,
      [count],
    );
    const first = ids[0]?.first ?? 0;
    await client.query(
      `INSERT INTO events (recorded_on, chain_id, id, block_number, block_hash, transaction_hash, transaction_index, removed, body)
       SELECT (now() AT TIME ZONE 'utc')::date, $1, $2::bigint + n, 1, '\\x00', sha256(n::text::bytea), 0, false,
         left('{"transaction":{' || CASE WHEN $4 THEN '"recordedAtMs":' || (extract(epoch FROM clock_timestamp()) * 1000)::numeric(16,1) || ',' ELSE '' END
           || '"input":"0x' || CASE WHEN $6 THEN (SELECT string_agg(md5(n || ' ' || part), '') FROM generate_series(1, $5 / 32) part)
             ELSE repeat(md5(n::text), $5 / 32) END, $5 - 3) || '"}}'
       FROM generate_series(0, $3::bigint - 1) n`,
      [chainId, first, count, stamped, length, random],
    );
    await client.query(
      `WITH webhook AS (
         SELECT id, shard, row_number() OVER (ORDER BY shard, id) - 1 AS nth, last_sequence
         FROM webhooks JOIN webhook_sequences ON webhook_id = id
         WHERE ($5::text IS NULL OR id = md5($5)::uuid) AND ($6::bigint IS NULL OR account_id = $6)),
       notification AS (
       INSERT INTO notifications (recorded_on, chain_id, position, shard, webhook_id, sequence, message_id, occurrence, event_id, recorded_at)
       SELECT (now() AT TIME ZONE 'utc')::date, $1, $2::bigint + 1 + n, w.shard, w.id, w.last_sequence + 1 + n / webhooks, gen_random_uuid(), 0,
         $3::bigint + n, clock_timestamp()
       FROM generate_series(0, $4::bigint - 1) n CROSS JOIN (SELECT count(*) AS webhooks FROM webhook) JOIN webhook w ON w.nth = n % webhooks ORDER BY n
       RETURNING webhook_id, sequence)
       UPDATE webhook_sequences s SET last_sequence = m.last
       FROM (SELECT webhook_id, max(sequence) AS last FROM notification GROUP BY 1) m WHERE m.webhook_id = s.webhook_id`,
      [chainId, position, first, count, only ?? null, account ?? null],
    );
    await client.query("COMMIT");
  } finally {
    client.release();
  }
  await announceWork(pool, "notifications");
}

/** How many attempts are on record. */
export async function attempted(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>("SELECT count(*) FROM attempts");
  return rows[0]?.count ?? 0;
}
