/**
 * Operational webhooks, and what there is to say to them. One is a row of `webhooks` on a chain of its own, without a lane, so followers never see
 * it, and delivery sends its events like notifications. What is to be said is the difference between the state on record and what was last said.
 */
import { randomUUID } from "node:crypto";
import type { components } from "../../generated/types.ts";
import { noOperationalWebhook } from "../base/errors.ts";
import type { WebhookHeader } from "../matching/new-webhook.ts";
import type { Keyring } from "../settings/keyring.ts";
import type { Quotas } from "../settings/limits.ts";
import { assertMayChange, keepHere } from "./accounts/may-change.ts";
import { historyUsed } from "./accounts/quotas.ts";
import { stoppedLanes } from "./chains/chains.ts";
import { isHistory } from "./chains/lanes.ts";
import { shardOf } from "./delivery/shards.ts";
import type { Queryable } from "./pool.ts";
import { insertSecret, sealHeaders, writeHeaders } from "./webhooks/secrets.ts";
import { ownId } from "./webhooks/watchers.ts";

type OperationalWebhook = components["schemas"]["OperationalWebhook"];

/** In place of a chain's id. */
export const operationalChain = "operational";

/** @returns its id @throws {ServiceError} `webhook_not_found` */
export async function operationalWebhookId(db: Queryable, accountId: number): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    "SELECT id FROM webhooks WHERE account_id = $1 AND chain_id = 'operational'",
    [accountId],
  );
  if (!rows[0]) throw noOperationalWebhook();
  return rows[0].id;
}

type Row = {
  url: string | null;
  format: OperationalWebhook["format"];
  header_names: string[] | null;
  status: OperationalWebhook["status"];
  status_reason: OperationalWebhook["statusReason"];
  status_since: Date;
  failing_since: Date | null;
  created_at: Date;
};

/** @throws {ServiceError} `webhook_not_found` */
export async function getOperationalWebhook(db: Queryable, accountId: number): Promise<OperationalWebhook> {
  const { rows } = await db.query<Row>(
    `SELECT url, options ->> 'operational' AS format, header_names, status, status_reason, status_since, created_at,
       (SELECT failing_since FROM endpoint_states e WHERE e.webhook_id = w.id) AS failing_since
     FROM webhooks w WHERE account_id = $1 AND chain_id = 'operational'`,
    [accountId],
  );
  const [row] = rows;
  if (!row) throw noOperationalWebhook();
  return {
    ...(row.url !== null && { url: row.url }),
    format: row.format,
    ...(row.header_names && { headerNames: row.header_names }),
    status: row.status,
    statusReason: row.status_reason,
    statusSince: row.status_since.getTime(),
    ...(row.failing_since && { failingSince: row.failing_since.getTime() }),
    createdAt: row.created_at.getTime(),
  };
}

/** Where and how an account's operational events are sent. Without a URL, they are only read by the feed. */
type Wanted = { url: string | undefined; format: OperationalWebhook["format"]; headers: readonly WebhookHeader[] };

/**
 * Registers an account's operational webhook, or replaces its settings and activates it, inside the caller's transaction. What is past by now will
 * not be said.
 *
 * @throws {ServiceError} `account_elsewhere`
 */
export async function putOperationalWebhook(
  db: Queryable,
  accountId: number,
  { url, format, headers }: Wanted,
  keyring: Keyring,
): Promise<OperationalWebhook> {
  await assertMayChange(db, accountId);
  // Of two concurrent registrations, the second replaces the first.
  const account = await db.query<{ newId: string }>(
    `SELECT ${ownId("tag", "$2")} AS "newId" FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
    [accountId, randomUUID()],
  );
  const known = await db.query<{ id: string; url: string | null }>(
    "SELECT id, url FROM webhooks WHERE account_id = $1 AND chain_id = 'operational' FOR NO KEY UPDATE",
    [accountId],
  );
  const id = known.rows[0]?.id ?? account.rows[0]?.newId;
  if (id === undefined) throw new Error(`there is no account ${accountId}`);
  const sealed = sealHeaders(id, headers, keyring);
  const settings = [url ?? null, JSON.stringify({ operational: format }), sealed && [...sealed.names]];
  if (known.rows[0]) {
    // Writing the url, even the same, makes the delivery processes read all of it.
    await db.query(
      `UPDATE webhooks SET url = $2, options = $3, header_names = $4, status = 'active',
         status_reason = CASE status WHEN 'active' THEN status_reason ELSE 'requested' END,
         status_since = CASE status WHEN 'active' THEN status_since ELSE clock_timestamp() END
       WHERE id = $1`,
      [id, ...settings],
    );
    if (url === undefined)
      for (const table of ["endpoint_states", "retries"])
        await db.query(`DELETE FROM ${table} WHERE webhook_id = $1`, [id]);
  } else {
    await db.query(
      `INSERT INTO webhooks (id, account_id, shard, chain_id, lane, url, options, header_names, status, status_reason, status_since, created_at,
         name, description, event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count)
       SELECT $1, $5, $6, 'operational', NULL, $2, $3, $4, 'active', 'created', now, now, '', '', 'operational', '{}', false, false, 0, 0
       FROM date_trunc('milliseconds', clock_timestamp()) now`,
      [id, ...settings, accountId, shardOf(id)],
    );
    await db.query("INSERT INTO webhook_sequences (webhook_id) VALUES ($1)", [id]);
    await insertSecret(db, id, keyring);
    await passOverPast(db, id, accountId);
  }
  await writeHeaders(db, id, sealed);
  return getOperationalWebhook(db, accountId);
}

/** What has happened before counts as said. What lasts, such as an endpoint that fails or a chain that is stopped, does not. */
async function passOverPast(db: Queryable, id: string, accountId: number): Promise<void> {
  await db.query(
    `INSERT INTO operational_said (webhook_id, kind, subject, state, said_at)
     SELECT $1::uuid, 'webhook', 'webhook:' || w.id, json_build_object('state', 'inactive', 'since', ${msOf("status_since")}), '-infinity'::timestamptz
     FROM webhooks w WHERE account_id = $2 AND ${isDeactivated}
     UNION ALL
     SELECT $1, 'exhausted', 'webhook:' || webhook_id, json_build_object('count', count), '-infinity' FROM exhausted WHERE account_id = $2`,
    [id, accountId],
  );
  // By a mark, since the clock may be set back. One that is locked is about to run again, and will end later.
  await db.query(
    `UPDATE replays SET end_said = true WHERE id = ANY(ARRAY(
       SELECT id FROM replays WHERE account_id = $1 AND status IN ('done', 'failed') AND NOT end_said FOR NO KEY UPDATE SKIP LOCKED))`,
    [accountId],
  );
}

/** @throws {ServiceError} `webhook_not_found`, `account_elsewhere` */
export async function deleteOperationalWebhook(db: Queryable, accountId: number): Promise<OperationalWebhook> {
  await assertMayChange(db, accountId);
  await db.query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
  const last = await getOperationalWebhook(db, accountId);
  const id = await operationalWebhookId(db, accountId);
  for (const table of ["endpoint_states", "passed_over", "exhausted"])
    await db.query(`DELETE FROM ${table} WHERE webhook_id = $1`, [id]);
  await db.query("DELETE FROM webhooks WHERE id = $1", [id]);
  return { ...last, status: "inactive", statusReason: "requested", statusSince: Date.now() };
}

/** Accounts that have one and are not on their way to another cell, in their order. @param after only those after this one */
export async function listWithOperational(db: Queryable, after: number, limit: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT w.account_id AS id FROM webhooks w JOIN accounts a ON a.id = w.account_id
     WHERE w.chain_id = 'operational' AND w.account_id > $1 AND a.move_state IS NULL ORDER BY 1 LIMIT $2`,
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

/** An operational webhook to say something to. */
export type ListeningAccount = { id: string; accountId: number; shard: number };

/**
 * Holds operational webhooks until the transaction ends, for the only one who says something to them: what was said does not change meanwhile. Those
 * of accounts on their way to another cell are left out.
 */
export async function holdOperational(db: Queryable, accountIds: readonly number[]): Promise<ListeningAccount[]> {
  await db.query(`SELECT ${keepHere("a.id")} FROM (SELECT unnest($1::bigint[]) AS id) a`, [accountIds]);
  await db.query("SELECT FROM chains WHERE chain_id = 'operational' FOR NO KEY UPDATE");
  const { rows } = await db.query<ListeningAccount>(
    `SELECT w.id, w.account_id AS "accountId", w.shard FROM webhooks w JOIN accounts a ON a.id = w.account_id
     WHERE w.chain_id = 'operational' AND w.account_id = ANY($1::bigint[]) AND a.move_state IS NULL ORDER BY w.id FOR KEY SHARE OF w`,
    [accountIds],
  );
  return rows;
}

/** A time in ms since the epoch. */
const msOf = (time: string) => `floor(extract(epoch FROM ${time}) * 1000)::bigint`;
/** Whether something was said so recently that it is not said again yet. A clock that is set back makes nothing wait. */
const isRecent = (saidAt: string, holdMs: string) =>
  `${saidAt} > clock_timestamp() - make_interval(secs => ${holdMs}::float8 / 1000) AND ${saidAt} <= clock_timestamp()`;
/** Of a webhook `w`. */
const isDeactivated = "w.chain_id <> 'operational' AND w.status = 'inactive' AND w.status_reason <> 'requested'";

/** Starts a WITH: the operational webhooks `op` to compare for. */
const ofOperational = `op AS MATERIALIZED (
  SELECT w.id, w.account_id, w.created_at FROM webhooks w WHERE w.id = ANY($1::uuid[]))`;
/** Ends a WITH whose last part is `found`: the first of each operational webhook. */
const firstOfEach = (by: string, atOnce: string) => `
      SELECT * FROM (SELECT found.*, row_number() OVER (PARTITION BY op ORDER BY ${by}) AS nth FROM found) f
      WHERE nth <= ${atOnce} ORDER BY op, nth`;
const saidOf = (kind: string) => `said AS MATERIALIZED (
  SELECT s.webhook_id AS op, s.subject, s.state, s.said_at FROM operational_said s JOIN op ON op.id = s.webhook_id WHERE s.kind = '${kind}')`;

/** How often something may begin again, and how much is read at once of each kind and account: others do not wait for one that has much. */
export type Bounds = { holdMs: number; atOnce: number };

/** What is said of a subject, or would be: `well` once what began has ended. */
export type SaidState = { state: string; since?: number; percent?: number; count?: number; tracesOnly?: boolean };

/** A subject whose state on record is another than what was said; undefined for none. */
type Difference = { op: string; subject: string; said: SaidState | null };

export type WebhookDifference = Difference & {
  webhookId: string;
  /** Failing, or made inactive by the service. Null for neither. */
  now: "failing" | "inactive" | null;
  percent: number | null;
  since: number | null;
  reason: string | null;
  /** Null for one that is gone. */
  status: "active" | "inactive" | null;
  statusReason: string | null;
};

/** @param failingLimitMs how long an endpoint fails before its webhook becomes inactive */
export async function readWebhookDifferences(
  db: Queryable,
  ops: readonly string[],
  { holdMs, atOnce, failingLimitMs }: Bounds & { failingLimitMs: number },
): Promise<WebhookDifference[]> {
  const failsFor = (part: number) =>
    `e.failing_since <= clock_timestamp() - make_interval(secs => $3::float8 / 1000 * ${part})`;
  const { rows } = await db.query<WebhookDifference>({
    name: "operational-webhooks",
    text: `WITH ${ofOperational}, ${saidOf("webhook")},
      current AS (
        SELECT op.id AS op, w.id AS webhook, 'failing' AS now, ${msOf("e.failing_since")} AS since, NULL AS reason,
          CASE WHEN ${failsFor(0.9)} THEN 90 WHEN ${failsFor(0.75)} THEN 75 ELSE 50 END AS percent
        FROM op JOIN webhooks w ON w.account_id = op.account_id AND w.chain_id <> 'operational' AND w.status = 'active'
        JOIN endpoint_states e ON e.webhook_id = w.id AND ${failsFor(0.5)}
        UNION ALL
        SELECT op.id, w.id, 'inactive', ${msOf("w.status_since")}, w.status_reason, NULL
        FROM op JOIN webhooks w ON w.account_id = op.account_id AND ${isDeactivated}),
      compared AS (
        SELECT COALESCE(c.op, s.op) AS op, COALESCE(s.subject, 'webhook:' || c.webhook) AS subject, s.state AS said, s.said_at,
          COALESCE(c.webhook, substr(s.subject, 9)::uuid) AS webhook, c.now, c.percent, c.since, c.reason
        FROM current c FULL JOIN said s ON s.op = c.op AND s.subject = 'webhook:' || c.webhook
        WHERE c.now IS DISTINCT FROM NULLIF(s.state ->> 'state', 'well') OR c.since <> (s.state ->> 'since')::bigint
          OR c.percent <> (s.state ->> 'percent')::int),
      found AS (
        SELECT c.op, c.subject, c.said, c.webhook AS "webhookId", c.now, c.percent, c.since, c.reason, w.status, w.status_reason AS "statusReason"
        FROM compared c LEFT JOIN webhooks w ON w.id = c.webhook
        -- One that somebody deactivated stays as it was said.
        WHERE (c.now IS NULL AND c.said ->> 'state' = 'inactive' AND w.status = 'inactive') IS NOT TRUE
          AND (c.said ->> 'state' = 'well' AND ${isRecent("c.said_at", "$2")}) IS NOT TRUE)${firstOfEach("since, subject", "$4")}`,
    values: [ops, holdMs, failingLimitMs, atOnce],
  });
  return rows;
}

export type ExhaustedDifference = Difference & {
  webhookId: string;
  /** Since it was last said, and all. */
  count: number;
  total: number;
  lastSequence: number;
  isOrdered: boolean;
};

/** Webhooks of which more notifications have failed at every attempt than was said. */
export async function readExhausted(
  db: Queryable,
  ops: readonly string[],
  { holdMs, atOnce }: Bounds,
): Promise<ExhaustedDifference[]> {
  const { rows } = await db.query<ExhaustedDifference>({
    name: "operational-exhausted",
    text: `WITH ${ofOperational}, ${saidOf("exhausted")},
      found AS (
        SELECT op.id AS op, 'webhook:' || w.id AS subject, s.state AS said, w.id AS "webhookId", x.count AS total, x.last_sequence AS "lastSequence",
          x.count - COALESCE((s.state ->> 'count')::bigint, 0) AS count, COALESCE(w.options ->> 'ordered' = 'true', false) AS "isOrdered"
        FROM op JOIN exhausted x ON x.account_id = op.account_id
        JOIN webhooks w ON w.id = x.webhook_id AND w.account_id = op.account_id AND w.chain_id <> 'operational'
        LEFT JOIN said s ON s.op = op.id AND s.subject = 'webhook:' || w.id
        WHERE x.count > COALESCE((s.state ->> 'count')::bigint, 0)
          AND (${isRecent("s.said_at", "$2")}) IS NOT TRUE)${firstOfEach("subject", "$3")}`,
    values: [ops, holdMs, atOnce],
  });
  return rows;
}

export type ChainDifference = Difference & {
  chainId: string;
  now: "stopped" | null;
  reason: string | null;
  since: number | null;
  /** Whether it is followed, but without traces. */
  tracesOnly: boolean | null;
  /** Whether it stands still for anybody. */
  isStopped: boolean;
};

/** Lanes that no process follows. */
export async function readUnattendedLanes(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ key: string }>({
    name: "operational-unattended",
    text: `SELECT ${laneKey} AS key FROM (${stoppedLanes}) l WHERE unattended`,
  });
  return rows.map(({ key }) => key);
}

const laneKey = "l.chain_id || '/' || l.lane";

/**
 * Chains that stand still for active webhooks of the accounts, other than as histories, those that do for more of them than was said, and those that no
 * longer do.
 *
 * @param bounds.unattended which of the lanes that no process follows are said to be so
 */
export async function readChainDifferences(
  db: Queryable,
  ops: readonly string[],
  { holdMs, unattended }: Bounds & { unattended: readonly string[] },
): Promise<ChainDifference[]> {
  const { rows } = await db.query<ChainDifference>({
    name: "operational-chains",
    text: `WITH ${ofOperational}, ${saidOf("chain")},
      stopped AS MATERIALIZED (${stoppedLanes}),
      current AS (
        SELECT DISTINCT ON (op.id, l.chain_id) op.id AS op, l.chain_id, l.stopped AS reason, ${msOf("l.since")} AS since,
          l.traces AS "tracesOnly", l.unattended AND NOT ${laneKey} = ANY($3) AS unsure
        FROM op CROSS JOIN stopped l
        WHERE EXISTS (SELECT FROM webhooks w WHERE w.account_id = op.account_id AND w.chain_id = l.chain_id AND w.lane = l.lane AND w.status = 'active')
        ORDER BY op.id, l.chain_id, 6, l.traces, l.since)
      SELECT COALESCE(c.op, s.op) AS op, COALESCE(s.subject, 'chain:' || c.chain_id) AS subject, s.state AS said,
        COALESCE(c.chain_id, substr(s.subject, 7)) AS "chainId", CASE WHEN c.op IS NOT NULL THEN 'stopped' END AS now, c.reason, c.since, c."tracesOnly",
        EXISTS (SELECT FROM stopped l WHERE l.chain_id = COALESCE(c.chain_id, substr(s.subject, 7))) AS "isStopped"
      FROM current c FULL JOIN said s ON s.op = c.op AND s.subject = 'chain:' || c.chain_id
      WHERE ((c.op IS NULL) IS DISTINCT FROM (COALESCE(s.state ->> 'state', 'well') = 'well')
          OR ((s.state ->> 'tracesOnly')::boolean AND NOT c."tracesOnly"))
        AND (s.state ->> 'state' = 'well' AND ${isRecent("s.said_at", "$2")}) IS NOT TRUE AND c.unsure IS NOT TRUE
      ORDER BY 1, 2`,
    values: [ops, holdMs, unattended],
  });
  return rows;
}

export type EndedReplay = {
  op: string;
  replayId: string;
  webhookId: string;
  status: "done" | "failed";
  reason: string | null;
};

/** Replays that have ended since the operational webhook was registered. Counts them as said: one that is done again is not said again. */
export async function takeEndedReplays(
  db: Queryable,
  ops: readonly string[],
  { atOnce }: Bounds,
): Promise<EndedReplay[]> {
  const { rows } = await db.query<EndedReplay>({
    name: "operational-replays",
    text: `WITH ${ofOperational},
      found AS (
        SELECT op.id AS op, r.id FROM op JOIN replays r ON r.account_id = op.account_id
        WHERE r.status IN ('done', 'failed') AND NOT r.end_said),
      chosen AS (${firstOfEach("id", "$2")}),
      -- Nobody waits for one that is about to run again.
      ended AS (
        SELECT chosen.op, r.id FROM chosen JOIN replays r USING (id) WHERE r.status IN ('done', 'failed') AND NOT r.end_said
        FOR NO KEY UPDATE OF r SKIP LOCKED)
      UPDATE replays r SET end_said = true FROM ended WHERE r.id = ended.id
      RETURNING ended.op, r.id AS "replayId", r.webhook_id AS "webhookId", r.status, r.status_reason AS reason`,
    values: [ops, atOnce],
  });
  return rows.sort((a, b) => (a.replayId < b.replayId ? -1 : 1));
}

export type HistoryDifference = Difference & {
  webhookId: string;
  chainId: string;
  now: "running" | "stopped" | "done";
  reason: string | null;
};

/** Histories that began, stand still, go on or reached the present. A short one may have done so before anybody looked. */
export async function readHistoryDifferences(
  db: Queryable,
  ops: readonly string[],
  { atOnce }: Bounds,
): Promise<HistoryDifference[]> {
  const { rows } = await db.query<HistoryDifference>({
    name: "operational-histories",
    text: `WITH ${ofOperational}, ${saidOf("history")},
      histories AS MATERIALIZED (SELECT * FROM chain_lanes l WHERE ${isHistory}),
      begun AS (
        SELECT op.id AS op, w.id AS webhook FROM op JOIN webhooks w ON w.account_id = op.account_id
        WHERE w.created_before IS NOT NULL AND w.created_at >= GREATEST(op.created_at, clock_timestamp() - interval '1 day')
        UNION
        SELECT op.id, w.id FROM op CROSS JOIN histories l JOIN webhooks w ON w.chain_id = l.chain_id AND w.lane = l.lane AND w.account_id = op.account_id
        WHERE w.created_before IS NOT NULL
        UNION
        SELECT s.op, substr(s.subject, 9)::uuid FROM said s),
      current AS (
        SELECT b.op, b.webhook, w.chain_id, l.stopped AS reason,
          CASE WHEN l.chain_id IS NULL THEN 'done' WHEN l.stopped IS NOT NULL THEN 'stopped' ELSE 'running' END AS now
        FROM begun b JOIN webhooks w ON w.id = b.webhook AND w.lane IS NOT NULL LEFT JOIN histories l ON l.chain_id = w.chain_id AND l.lane = w.lane),
      found AS (
        SELECT c.op, 'history:' || c.webhook AS subject, s.state AS said, c.webhook AS "webhookId", c.chain_id AS "chainId", c.now, c.reason
        FROM current c LEFT JOIN said s ON s.op = c.op AND s.subject = 'history:' || c.webhook
        WHERE c.now IS DISTINCT FROM s.state ->> 'state')${firstOfEach("subject", "$2")}`,
    values: [ops, atOnce],
  });
  return rows;
}

export type QuotaDifference = Difference & {
  quota: keyof Quotas;
  used: number;
  limit: number;
};

/** The part of a quota's use that is reported first, and how far below it has to fall to be reported again, in per cent. */
export const quotaSteps = { first: 80, full: 100, below: 10 };

/** Quotas of which a part is used that is reported, or was. @param quotas for accounts without their own */
export async function readQuotas(
  db: Queryable,
  ops: readonly string[],
  quotas: Quotas,
  { holdMs }: Bounds,
): Promise<QuotaDifference[]> {
  const { rows } = await db.query<QuotaDifference>({
    name: "operational-quotas",
    text: `WITH ${ofOperational}, ${saidOf("quota")},
      used AS (
        SELECT op.id AS op, q.* FROM op JOIN accounts a ON a.id = op.account_id
        CROSS JOIN LATERAL (VALUES
          ('webhooks', a.webhooks, COALESCE(a.webhook_quota, $2::bigint)),
          ('addresses', a.addresses, COALESCE(a.address_quota, $3::bigint)),
          ('historyBlocks', (SELECT COALESCE(sum(blocks), 0)::bigint FROM (${historyUsed("a.id")}) blocks), COALESCE(a.history_quota, $4::bigint)),
          ('anyAddress', (SELECT count(*) FROM webhooks WHERE account_id = a.id AND options ->> 'anyAddress' = 'true'),
            COALESCE(a.any_address_quota, $5::bigint)),
          ('comparisons', (SELECT COALESCE(sum(comparisons), 0)::bigint FROM webhooks WHERE account_id = a.id AND comparisons > 0), $6::bigint),
          ('abiBytes', (SELECT COALESCE(sum(abi_bytes), 0)::bigint FROM webhooks WHERE account_id = a.id AND abi_bytes > 0), $7::bigint)
        ) q(quota, used, quota_limit))
      SELECT u.op, 'quota:' || u.quota AS subject, s.state AS said, u.quota, u.used, u.quota_limit AS limit
      FROM used u LEFT JOIN said s ON s.op = u.op AND s.subject = 'quota:' || u.quota
      WHERE u.quota_limit IS NOT NULL AND (s.op IS NOT NULL OR (u.used > 0 AND u.used * 100 >= u.quota_limit * ${quotaSteps.first}))
        AND (${isRecent("s.said_at", "$8")}) IS NOT TRUE ORDER BY u.op, u.quota`,
    values: [
      ...[ops, quotas.webhooks, quotas.addresses, quotas.historyBlocks ?? null],
      ...[quotas.anyAddress ?? null, quotas.comparisons ?? null, quotas.abiBytes ?? null, holdMs],
    ],
  });
  return rows;
}

export type ApartDifference = Difference & { chainId: string; now: "apart" | null };

/** Chains on which the accounts' webhooks are set apart, and those on which they no longer are. */
export async function readApartDifferences(
  db: Queryable,
  ops: readonly string[],
  { holdMs }: Bounds,
): Promise<ApartDifference[]> {
  const { rows } = await db.query<ApartDifference>({
    name: "operational-apart",
    text: `WITH ${ofOperational}, ${saidOf("apart")},
      current AS (SELECT DISTINCT op.id AS op, l.chain_id FROM op JOIN chain_lanes l ON l.apart_account = op.account_id)
      SELECT COALESCE(c.op, s.op) AS op, COALESCE(s.subject, 'apart:' || c.chain_id) AS subject, s.state AS said,
        COALESCE(c.chain_id, substr(s.subject, 7)) AS "chainId", CASE WHEN c.op IS NOT NULL THEN 'apart' END AS now
      FROM current c FULL JOIN said s ON s.op = c.op AND s.subject = 'apart:' || c.chain_id
      WHERE (c.op IS NULL) IS DISTINCT FROM (COALESCE(s.state ->> 'state', 'well') = 'well')
        AND (s.state ->> 'state' = 'well' AND ${isRecent("s.said_at", "$2")}) IS NOT TRUE
      ORDER BY 1, 2`,
    values: [ops, holdMs],
  });
  return rows;
}

/** Records what is said with its event, or that something needs no event. */
export async function writeSaid(
  db: Queryable,
  said: readonly { op: string; kind: string; subject: string; state: SaidState }[],
): Promise<void> {
  if (said.length === 0) return;
  await db.query(
    `INSERT INTO operational_said (webhook_id, kind, subject, state)
     SELECT op, kind, subject, state FROM json_to_recordset($1) AS s(op uuid, kind text, subject text, state json)
     ON CONFLICT (webhook_id, kind, subject) DO UPDATE SET state = EXCLUDED.state, said_at = EXCLUDED.said_at`,
    [JSON.stringify(said)],
  );
}

/** Forgets what has ended for so long that it may begin again, and what webhooks had that are gone. */
export async function forgetSaid(db: Queryable, ops: readonly string[], holdMs: number): Promise<void> {
  await db.query(
    `DELETE FROM operational_said s WHERE webhook_id = ANY($1::uuid[]) AND (
       (state ->> 'state' = 'well' AND said_at <= clock_timestamp() - make_interval(secs => $2::float8 / 1000))
       OR (kind IN ('exhausted', 'history') AND NOT EXISTS (SELECT FROM webhooks w WHERE w.id = substr(s.subject, 9)::uuid))
       OR (kind = 'history' AND state ->> 'state' = 'done' AND said_at < clock_timestamp() - interval '2 days'))`,
    [ops, holdMs],
  );
}
