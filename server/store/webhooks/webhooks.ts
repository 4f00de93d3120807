/** Reads webhooks, in the form of the contract. An account sees only its own, and its operational one (store/operational.ts) is none of them. */

import type { components } from "../../../generated/types.ts";
import { webhookNotFound } from "../../base/errors.ts";
import { shownOptions, type WebhookOptions } from "../../matching/new-webhook.ts";
import { shownAddresses } from "../../settings/limits.ts";
import { type HistoryMode, isHistory } from "../chains/lanes.ts";
import { heldCount } from "../outbox/held-state.ts";
import type { Queryable } from "../pool.ts";

/** A position in the list of webhooks, newest first. */
export type ListPosition = { createdAt: Date; id: string };

/** Reads a webhook of an account. @throws {ServiceError} `webhook_not_found` */
export async function getWebhook(db: Queryable, accountId: number, id: string): Promise<Webhook> {
  const { rows } = await db.query<RecordRow>(
    `SELECT ${recordColumns(shownAddresses)} FROM webhooks w WHERE w.id = $1 AND w.account_id = $2 AND w.chain_id <> 'operational'`,
    [id, accountId],
  );
  if (!rows[0]) throw webhookNotFound(id);
  return toRecord(rows[0]);
}

/**
 * Lists an account's webhooks, newest first.
 *
 * @param options.addresses the maximum number of addresses of each
 * @returns at most `limit` webhooks, those after `after`
 */
export async function listWebhooks(
  db: Queryable,
  accountId: number,
  options: {
    limit: number;
    addresses: number;
    status?: Webhook["status"] | undefined;
    after?: ListPosition | undefined;
  },
): Promise<Webhook[]> {
  const { rows } = await db.query<RecordRow>(
    `SELECT ${recordColumns(options.addresses)} FROM webhooks w
     WHERE w.account_id = $1 AND w.chain_id <> 'operational' AND ($2::text IS NULL OR w.status = $2)
       AND ($3::timestamptz IS NULL OR (w.created_at, w.id) < ($3, $4))
     ORDER BY w.created_at DESC, w.id DESC LIMIT $5`,
    [accountId, options.status ?? null, options.after?.createdAt ?? null, options.after?.id ?? null, options.limit],
  );
  return rows.map(toRecord);
}

/** @throws {ServiceError} `webhook_not_found` unless the webhook is the account's */
export async function assertWebhook(db: Queryable, accountId: number, id: string): Promise<void> {
  const { rowCount } = await db.query(
    "SELECT FROM webhooks WHERE id = $1 AND account_id = $2 AND chain_id <> 'operational'",
    [id, accountId],
  );
  if (!rowCount) throw webhookNotFound(id);
}

/** A webhook's record. */
export type Webhook = components["schemas"]["Webhook"];

/** The fields of a webhook to change. */
export type WebhookChange = Partial<
  Pick<Webhook, "url" | "maxPerSecond" | "name" | "description" | "status" | "includeInternalTxs" | "includeLogs">
>;

/**
 * Selects the first addresses of a webhook `w` in ascending order. The planner knows only how many addresses webhooks have on average. Asked
 * for `a.webhook_id = w.id`, it reads and sorts all of them: 300 ms for 100,000. It takes a range of pairs for a ninth of the table, and a
 * limit that it cannot see for a tenth of that. So it reads the first ones from the index: 0.5 ms.
 *
 * @param after an expression: only addresses after this one
 * @param limit an expression
 */
export const firstAddresses = (limit: number | string, after = "''::bytea") => `
  SELECT '0x' || encode(a.address, 'hex') FROM webhook_addresses a
  WHERE (a.webhook_id, a.address) > (w.id, ${after}) AND (a.webhook_id, a.address) <= (w.id, decode(repeat('ff', 20), 'hex'))
  ORDER BY a.webhook_id, a.address LIMIT (SELECT ${limit}::int)`;

/** A digest as text. @param digest an expression, null for that of no address */
export const digestText = (digest: string) =>
  `('0x' || COALESCE(encode(substr(bit_send(${digest}), 5), 'hex'), repeat('0', 64)))`;

/** An expression: the digest of the addresses that a webhook was given, as it is in records. @param webhook a row's name */
export const addressDigestOf = (webhook: string) =>
  `(SELECT ${digestText("bit_xor(digest)")} FROM webhook_address_digests d WHERE d.webhook_id = ${webhook}.id)`;

/** Selects how far the history of a webhook `w` is, if it is in one. */
const historyOf = `CASE WHEN w.created_before IS NOT NULL THEN (
  SELECT json_build_object('next', l.cursor_number + 1, 'until', (SELECT max(cursor_number) FROM chain_lanes o WHERE o.chain_id = l.chain_id),
    'blocks', l.cursor_number + 1 - l.history_from, 'ms', extract(epoch FROM clock_timestamp() - l.history_since) * 1000,
    'stopped', l.stopped, 'agreed', l.nodes_agreed, 'mode', CASE WHEN l.apart_account IS NULL AND l.cursor_number + 1 >= COALESCE(l.whole_until, 0) THEN l.history_mode END)
  FROM chain_lanes l WHERE l.chain_id = w.chain_id AND l.lane = w.lane AND ${isHistory}) END`;

/** The columns that `toRecord` reads, of a table `webhooks` named `w`. @param addresses the maximum number of them */
export const recordColumns = (addresses: number) => `
  w.id, w.url, w.chain_id, w.status, w.status_reason, w.status_since, w.created_at, w.name, w.description, w.event_type,
  ARRAY(SELECT '0x' || encode(s, 'hex') FROM unnest(w.event_signatures) s) AS signatures,
  ARRAY(${firstAddresses(addresses)}) AS addresses,
  w.address_count, ${addressDigestOf("w")} AS address_digest, w.include_internal_txs, w.include_logs, w.effective_from_block, w.options, w.max_per_second, w.header_names, ${heldCount} AS held,
  (SELECT failing_since FROM endpoint_states e WHERE e.webhook_id = w.id) AS failing_since,
  (SELECT json_build_object('count', count, 'lastSequence', last_sequence, 'at', floor(extract(epoch FROM at) * 1000)::bigint)
   FROM passed_over p WHERE p.webhook_id = w.id) AS passed_over,
  (SELECT cursor_number + 1 FROM chain_lanes l WHERE l.chain_id = w.chain_id AND l.lane = w.lane AND l.apart_account IS NOT NULL) AS apart_next,
  ${historyOf} AS history`;

/** A row of these columns. */
export type RecordRow = {
  id: string;
  /** Null where the webhook is only read by its feed. */
  url: string | null;
  chain_id: string;
  status: Webhook["status"];
  status_reason: Webhook["statusReason"];
  status_since: Date;
  failing_since: Date | null;
  created_at: Date;
  name: string;
  description: string;
  event_type: Webhook["eventType"];
  signatures: string[];
  addresses: string[];
  address_count: number;
  address_digest: string;
  include_internal_txs: boolean;
  include_logs: boolean;
  effective_from_block: number;
  options: WebhookOptions | null;
  max_per_second: number | null;
  header_names: string[] | null;
  held: number | null;
  passed_over: NonNullable<Webhook["passedOver"]> | null;
  apart_next: number | null;
  history: HistoryRow | null;
};

type HistoryRow = {
  next: number;
  until: number;
  blocks: number;
  ms: number;
  stopped: string | null;
  agreed: number | null;
  mode: HistoryMode | null;
};

/** A rate of less than a second says little. */
const shortestRateMs = 1_000;

function toHistory({ next, until, blocks, ms, stopped, agreed, mode }: HistoryRow): NonNullable<Webhook["history"]> {
  // The lane may be a moment ahead of the others.
  const untilBlock = Math.max(until, next - 1);
  const isKnown = blocks > 0 && ms >= shortestRateMs;
  const leftMs = ((untilBlock + 1 - next) * ms) / Math.max(1, blocks);
  return {
    nextBlock: String(next),
    untilBlock: String(untilBlock),
    ...(isKnown && { blocksPerSecond: Math.round((blocks * 1_000) / ms), finishesAt: Math.round(Date.now() + leftMs) }),
    ...(stopped !== null && { stoppedReason: stopped }),
    mode: mode ?? "complete",
    ...(mode === "logs" && agreed !== null && { nodesAgreed: agreed }),
  };
}

export function toRecord(row: RecordRow): Webhook {
  const { top, metadata } = shownOptions(row.options ?? {});
  return {
    id: row.id,
    ...(row.url !== null && { url: row.url }),
    chainId: row.chain_id,
    status: row.status,
    statusReason: row.status_reason,
    statusSince: row.status_since.getTime(),
    ...(row.failing_since && { failingSince: row.failing_since.getTime() }),
    createdAt: row.created_at.getTime(),
    name: row.name,
    description: row.description,
    eventType: row.event_type,
    metadata: { eventSignatures: row.signatures, addresses: row.addresses, ...metadata },
    addressCount: row.address_count,
    addressDigest: row.address_digest,
    includeInternalTxs: row.include_internal_txs,
    includeLogs: row.include_logs,
    effectiveFromBlock: String(row.effective_from_block),
    ...top,
    ...(row.url === null && { delivery: "feed" as const }),
    ...(row.max_per_second !== null && { maxPerSecond: row.max_per_second }),
    ...(row.header_names && { headerNames: row.header_names }),
    ...(row.held !== null && { heldCount: row.held }),
    ...(row.passed_over && { passedOver: row.passed_over }),
    ...(row.history && { history: toHistory(row.history) }),
    ...(row.apart_next !== null && { catchUp: { reason: "costly" as const, nextBlock: String(row.apart_next) } }),
  };
}
