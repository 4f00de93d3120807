/** What is on record of a webhook and a transaction, for an explanation. */
import type { AskedBlock, OnRecord } from "../../matching/explanation.ts";
import { heldFor } from "../outbox/held-state.ts";
import { isOnRecord, type NotificationPlace, readNotifications } from "../outbox/notifications.ts";
import type { Queryable } from "../pool.ts";
import type { Webhook } from "./webhooks.ts";

/** How far from its block a transaction can have been before a reorganisation, in blocks. Events are found by their block. */
const nearby = 16;
/** Of a transaction in no block, so many of the webhook's newest notifications are searched: 40 ms. */
const searched = 10_000;
/** A transaction has one notification, and one more for each time its block left the chain or came back. */
const mostRead = 20;

type AskedRecord = {
  txHash: string;
  block: AskedBlock | undefined;
  /** Those by which the transaction matches. */
  addresses: readonly string[];
  keptDays: number;
};

/** @param webhook as it is now */
export async function readOnRecord(
  db: Queryable,
  webhook: Webhook,
  { txHash, block, addresses, keptDays }: AskedRecord,
): Promise<OnRecord> {
  const findHeld = async () => (webhook.finality && block ? heldFor(db, webhook.id, { ...block, txHash }) : undefined);
  // What is released meanwhile is found as held, or as a notification.
  const heldBefore = await findHeld();
  const places = await findPlaces(db, webhook, txHash, block);
  const notifications = await readNotifications(db, webhook.id, places);
  const held = heldBefore && notifications.length > 0 ? await findHeld() : heldBefore;
  const { rows } = await db.query<LaneRow>({
    name: "webhook-lane",
    text: `SELECT l.cursor_number - (l.owed_after IS NOT NULL)::int AS followed, CASE WHEN l.stopped IS NOT NULL THEN l.stopped_since END AS "stoppedSince",
             (SELECT hash NOT IN (decode(substr($3, 3), 'hex'), '') FROM chain_blocks b
              WHERE b.chain_id = w.chain_id AND b.lane = w.lane AND b.number = $2) AS "isOther"
           FROM webhooks w JOIN chain_lanes l ON l.chain_id = w.chain_id AND l.lane = w.lane WHERE w.id = $1`,
    values: [webhook.id, block?.blockNumber ?? -1, block?.blockHash ?? "0x"],
  });
  const periods = await db.query<{ from: number; to: number }>({
    name: "webhook-active-before",
    text: `SELECT from_block AS from, to_block AS to FROM webhook_active_before WHERE webhook_id = $1 ORDER BY ended_at`,
    values: [webhook.id],
  });
  const [lane] = rows;
  const past = block && addresses.length > 0 ? await pastOf(db, webhook.id, { addresses, block }) : undefined;
  return {
    past,
    webhook,
    activeBefore: periods.rows,
    followed: lane?.followed ?? undefined,
    isOnOtherBranch: lane?.isOther ?? false,
    stoppedSince: lane?.stoppedSince?.getTime(),
    isHeld: held !== undefined,
    ...(held?.missingBlocks != null && { missingBlocks: held.missingBlocks }),
    notifications,
    keptSince: Date.now() - keptDays * 86_400_000,
  };
}

/** What the replays that bring the past of some addresses have done of a block; undefined if none has done it, or will. */
async function pastOf(
  db: Queryable,
  webhookId: string,
  { addresses, block }: { addresses: readonly string[]; block: AskedBlock },
): Promise<OnRecord["past"]> {
  const { rows } = await db.query<{ isDone: boolean; replayed: number | null }>({
    name: "past-of-addresses",
    text: `SELECT r.next_block > $3::bigint AS "isDone", CASE WHEN r.next_block > r.from_block THEN r.next_block - 1 END AS replayed
           FROM webhook_addresses w JOIN replays r ON r.id = w.replay
           WHERE w.webhook_id = $1 AND w.address = ANY($2::bytea[]) AND $3 BETWEEN r.from_block AND r.to_block
             AND (r.next_block > $3 OR r.status IN ('queued', 'running'))
           ORDER BY r.next_block DESC LIMIT 1`,
    values: [webhookId, addresses.map((address) => Buffer.from(address.slice(2), "hex")), block.blockNumber],
  });
  const [row] = rows;
  if (!row) return undefined;
  return row.isDone ? { isDone: true } : { isDone: false, replayed: row.replayed ?? undefined };
}

type LaneRow = { followed: number | null; stoppedSince: Date | null; isOther: boolean | null };

/** Finds the transaction's notifications near its block, or among the webhook's newest. @returns the newest, in ascending order */
async function findPlaces(
  db: Queryable,
  { id, chainId }: Webhook,
  txHash: string,
  block: AskedBlock | undefined,
): Promise<NotificationPlace[]> {
  const columns = 'n.recorded_on AS "recordedOn", n.sequence';
  const ofTransaction = `e.transaction_hash = decode(substr($2, 3), 'hex') AND ${isOnRecord}`;
  const { rows } = block
    ? await db.query<NotificationPlace>({
        name: "notifications-near",
        text: `SELECT ${columns} FROM events e JOIN notifications n ON n.event_id = e.id AND n.recorded_on = e.recorded_on
               WHERE e.chain_id = $3 AND e.block_number = ANY(ARRAY(SELECT generate_series($4::bigint, $5::bigint))) AND n.webhook_id = $1
                 AND e.apart_account = ANY(ARRAY(SELECT 0 UNION SELECT account_id FROM webhooks WHERE id = $1)) AND ${ofTransaction}
               ORDER BY n.sequence DESC LIMIT $6`,
        values: [id, txHash, chainId, block.blockNumber - nearby, block.blockNumber + nearby, mostRead],
      })
    : await db.query<NotificationPlace>({
        name: "notifications-newest",
        text: `SELECT ${columns} FROM (
                 SELECT * FROM notifications WHERE webhook_id = $1 ORDER BY sequence DESC LIMIT $3) n
               JOIN events e ON e.recorded_on = n.recorded_on AND e.id = n.event_id
               WHERE ${ofTransaction} ORDER BY n.sequence DESC LIMIT $4`,
        values: [id, txHash, searched, mostRead],
      });
  return rows.reverse();
}
