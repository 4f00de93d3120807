/** What was recorded for a webhook, read from the tables. */
import type { AddressActivityNotification } from "../../client/receiver/index.ts";
import { messageIdOf } from "../../server/matching/message-id.ts";
import type { Pool } from "../../server/store/pool.ts";
import type { Mined } from "./local-chain.ts";

/** A notification on record. */
export type Notified = NotifiedRow & { event: AddressActivityNotification["event"] };

/** The same without its event, which may be large. */
export type NotifiedRow = {
  sequence: number;
  messageId: string;
  occurrence: number;
  removed: boolean;
  blockNumber: number;
  blockHash: string;
  transactionHash: string;
};

const columns = `n.sequence, n.message_id AS "messageId", n.occurrence, e.removed, e.block_number AS "blockNumber",
  '0x' || encode(e.block_hash, 'hex') AS "blockHash", '0x' || encode(e.transaction_hash, 'hex') AS "transactionHash"`;
const recorded = "FROM notifications n JOIN events e ON e.id = n.event_id AND e.recorded_on = n.recorded_on";

/** Like `notifiedOf`, without reading what was sent. */
export async function notifiedRowsOf(pool: Pool, webhookId: string): Promise<NotifiedRow[]> {
  const { rows } = await pool.query<NotifiedRow>(`SELECT ${columns} ${recorded} WHERE n.webhook_id = $1`, [webhookId]);
  return inSequence(webhookId, rows);
}

/** @returns them in their sequence @throws where it has a gap, or where a messageId is not the one it must be */
export async function notifiedOf(pool: Pool, webhookId: string): Promise<Notified[]> {
  return inSequence(webhookId, await recordedOf(pool, webhookId));
}

/** @param rows recorded by one cell or by several @throws like `notifiedOf` */
export function inSequence<Row extends NotifiedRow>(webhookId: string, rows: readonly Row[]): Row[] {
  const all = rows.toSorted((a, b) => a.sequence - b.sequence);
  if (new Set(all.map(({ messageId }) => messageId)).size < all.length)
    throw new Error(`${webhookId} repeats a messageId`);
  for (const [index, { sequence, messageId, ...row }] of all.entries()) {
    if (sequence !== index + 1) throw new Error(`${webhookId} has ${sequence} where ${index + 1} was to come`);
    if (messageId !== messageIdOf({ webhookId, ...row })) throw new Error(`${webhookId} ${sequence}: ${messageId}`);
  }
  return all;
}

/** @returns what a cell has recorded itself; with `moved` instead what it has got from others */
export async function recordedOf(pool: Pool, webhookId: string, { moved = false } = {}): Promise<Notified[]> {
  const { rows } = await pool.query<NotifiedRow & { body: string }>(
    `SELECT ${columns}, e.body ${recorded} WHERE n.webhook_id = $1 AND (n.position < 0) = $2 ORDER BY n.sequence`,
    [webhookId, moved],
  );
  return rows.map(({ body, ...row }) => ({ ...row, event: JSON.parse(body) as Notified["event"] }));
}

/** What is left when every retraction has undone its notification. @throws where one undoes what does not stand */
export function standing(notified: readonly NotifiedRow[]): Mined[] {
  const left = new Map<string, Mined>();
  for (const { sequence, removed, transactionHash: hash, blockNumber, blockHash } of notified) {
    const key = `${blockHash} ${hash}`;
    if (left.has(key) !== removed) throw new Error(`${sequence} ${removed ? "retracts" : "repeats"} ${key}`);
    if (removed) left.delete(key);
    else left.set(key, { hash, blockNumber, blockHash });
  }
  return [...left.values()];
}

/** Such as `+1 +2 -2`: notified of block 1 and of block 2, which was then taken back. */
export function brief(notified: readonly Notified[]): string {
  return notified.map(({ removed, blockNumber }) => `${removed ? "-" : "+"}${blockNumber}`).join(" ");
}
