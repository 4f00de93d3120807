/**
 * Writers append notifications as the follower does, and readers read them as delivery does. Invariant 4 of ARCHITECTURE.md must hold: whoever
 * reads a position can read every notification up to it.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { noKeys } from "../../../server/settings/keyring.ts";
import { ensureChain } from "../../../server/store/chains/cursor.ts";
import { lockChainExclusively } from "../../../server/store/chains/lock.ts";
import { readHeads, readOutbox } from "../../../server/store/delivery/feed.ts";
import { appendNotifications } from "../../../server/store/outbox/append.ts";
import type { Queryable } from "../../../server/store/pool.ts";
import { createWebhook } from "../../../server/store/webhooks/creation.ts";
import type { InSchema } from "./own-schema.ts";

/** No chain has this id, so that nobody waits for its lock. */
const chainId = "check-database";
const writers = 3;
const readers = 2;
const readLimit = 10_000;

export type PositionsFound = { written: number; reads: number; violation: string | undefined };

/** Writes and reads until it is over, or until the first violation. */
export async function checkPositions(inSchema: InSchema, isTimeUp: () => boolean): Promise<PositionsFound> {
  const { webhookId, shard } = await inSchema(addWebhook);
  const found: PositionsFound = { written: 0, reads: 0, violation: undefined };
  const isOver = () => isTimeUp() || found.violation !== undefined;

  async function write(): Promise<void> {
    while (!isOver()) {
      const count = 1 + Math.floor(Math.random() * 20);
      const notifications = Array.from({ length: count }, () => ({
        ...{ webhookId, shard, messageId: randomUUID(), occurrence: 0 },
        event: {
          blockNumber: 1,
          blockHash: hash(),
          transactionHash: hash(),
          transactionIndex: 0,
          removed: false,
          body: "{}",
        },
      }));
      await inSchema(async (db) => {
        await lockChainExclusively(db, chainId);
        await appendNotifications(db, chainId, notifications);
      });
      found.written += count;
    }
  }

  async function read(): Promise<void> {
    let position = 0;
    while (!isOver()) {
      // Apart, as delivery reads them: a replica may answer the second.
      const { positions, today } = await inSchema((db) => readHeads(db, [shard]));
      const upTo = Math.min(positions.get(chainId) ?? 0, position + readLimit);
      const from = [{ shard, position, upTo, limit: readLimit }];
      const rows = await inSchema((db) => readOutbox(db, chainId, from, { since: today, recovering: false }));
      found.reads += 1;
      if (upTo < position) found.violation = `position ${position} was read, and later only ${upTo}`;
      const missing = rows.findIndex((row, index) => row.position !== position + index + 1);
      const seen = missing === -1 ? rows.length : missing;
      if (position + seen < upTo)
        found.violation = `position ${upTo} was read, and notification ${position + seen + 1} was not there`;
      position = Math.max(position, upTo);
    }
  }

  await Promise.all([...Array.from({ length: writers }, write), ...Array.from({ length: readers }, read)]);
  return found;
}

async function addWebhook(db: Queryable): Promise<{ webhookId: string; shard: number }> {
  await ensureChain(db, chainId);
  await db.query("UPDATE chain_lanes SET cursor_number = 1, cursor_hash = '\\x00' WHERE chain_id = $1", [chainId]);
  const { rows } = await db.query<{ id: number }>("INSERT INTO accounts (name) VALUES ('check') RETURNING id");
  const { id } = await createWebhook(
    db,
    rows[0]?.id ?? 0,
    {
      ...{ chainId, url: "https://example.com/", eventType: "address_activity", name: "", description: "" },
      ...{ includeInternalTxs: false, includeLogs: false, eventSignatures: [], addresses: [`0x${"0".repeat(40)}`] },
    },
    noKeys,
  );
  const shards = await db.query<{ shard: number }>("SELECT shard FROM webhooks WHERE id = $1", [id]);
  return { webhookId: id, shard: shards.rows[0]?.shard ?? 0 };
}

const hash = () => `0x${randomBytes(32).toString("hex")}`;
