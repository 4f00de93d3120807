/** The addresses that webhooks watch. */
import { randomUUID } from "node:crypto";
import { ServiceError, webhookNotFound } from "../../base/errors.ts";
import { assertFewAddresses, assertFewCreated, assertFewReplays, type Quotas } from "../../settings/limits.ts";
import { assertWithinQuotas } from "../accounts/quotas.ts";
import { lockChainForChange } from "../chains/lock.ts";
import { countReplays, queueReplay } from "../chains/replays.ts";
import type { Queryable } from "../pool.ts";
import { type LockedWebhook, lockWebhook, takeTurn } from "./watch-lock.ts";
import { firstAddresses, getWebhook, type Webhook } from "./webhooks.ts";

/** The result of a change of addresses, and the webhook after it; of an addition from a block of the past, the replay that brings it. */
export type AddressChange = { changed: number; firstBlock: number; webhook: Webhook; replayId?: string };

/**
 * Adds addresses to a webhook of the account whose turn it is. Those it watches already stay; one that a factory created stays even if its
 * block leaves the chain. 10,000 take 0.2 s, so call this before taking the chain's lock, if that may be, and `dateAddition` under it.
 *
 * @param packed may repeat
 * @param to.replay the replay that will bring the past of those that are new
 * @returns how many are new
 */
async function insertAddresses(
  db: Queryable,
  { id, chainId, addition, replay }: { id: string; chainId: string; addition: number; replay: string | undefined },
  packed: Buffer,
): Promise<number> {
  const { rows } = await db.query<{ added: number }>(
    `WITH written AS (
       INSERT INTO webhook_addresses AS w (chain_id, address, webhook_id, addition, replay)
       SELECT DISTINCT $1, address, $2::uuid, $3::bigint, $5::uuid FROM ${unpackedAddresses("$4")}
       ON CONFLICT (chain_id, address, webhook_id) DO UPDATE SET created_in = NULL WHERE w.created_in IS NOT NULL
       RETURNING w.xmax = 0 AS is_new)
     SELECT count(*) AS added FROM written WHERE is_new`,
    [chainId, id, addition, packed, replay ?? null],
  );
  return Number(rows[0]?.added ?? 0);
}

type AdditionOptions = {
  /** For accounts without their own; without them no quota applies. */
  quotas?: Quotas | undefined;
  /** A block, at most the chain's newest: the past of the addresses from there on is replayed. */
  from?: number | undefined;
};

/**
 * Adds addresses to a webhook of an account.
 *
 * @throws {ServiceError} `webhook_not_found`, `chain_not_followed`, `too_many_addresses`, `over_quota`, `any_address`, `too_many_replays`
 */
export async function addAddresses(
  db: Queryable,
  accountId: number,
  id: string,
  addresses: readonly string[],
  { quotas, from }: AdditionOptions = {},
): Promise<AddressChange> {
  const chainId = await takeTurn(db, accountId, id);
  const { any_address: isAny, has_factory: hasFactory } = await readOptions(db, id);
  if (isAny) throw new ServiceError("any_address", "addresses must not be added to a webhook with anyAddress.");
  const replay = from === undefined ? undefined : { id: randomUUID(), from };
  const replays = replay && (await countReplays(db, accountId, id));
  if (hasFactory) await lockChainForChange(db, chainId);
  const addition = await takeAddition(db);
  const packed = packAddresses(addresses);
  const added = await insertAddresses(db, { id, chainId, addition, replay: replay?.id }, packed);
  const before = replay && added === 0 ? await replayOfAdded(db, id, packed, replay.from) : undefined;
  const { webhook, firstBlock } = await lockWebhook(db, accountId, { id, chainId });
  if (added > 0) await dateAddition(db, addition, { chainId, firstBlock });
  await countChange(db, webhook, added);
  if (quotas && added > 0) await assertWithinQuotas(db, accountId, quotas);
  // The newest block may have left the chain since its number was compared.
  const isPast = replay && replays && added > 0 && replay.from < firstBlock;
  if (isPast) {
    assertFewReplays(replays.unfinished);
    assertFewCreated(replays.today);
    const range = { from: replay.from, to: firstBlock - 1 };
    await queueReplay(db, accountId, { id: replay.id, webhookId: id, chainId, ...range, ofAdded: true }, quotas);
  }
  const replayId = isPast ? replay.id : before;
  const change = { changed: added, firstBlock, webhook: await getWebhook(db, accountId, id) };
  return { ...change, ...(replayId !== undefined && { replayId }) };
}

/** @returns the newest replay from this block on that brings the past of some of the addresses: a repeated request gets what the first one got */
async function replayOfAdded(db: Queryable, id: string, packed: Buffer, from: number): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT r.id FROM ${unpackedAddresses("$2")} JOIN webhook_addresses w ON w.webhook_id = $1 AND w.address = packed.address
       JOIN replays r ON r.id = w.replay
     WHERE r.from_block = $3 ORDER BY r.created_at DESC LIMIT 1`,
    [id, packed, from],
  );
  return rows[0]?.id;
}

type Options = { any_address: boolean; has_factory: boolean };

/**
 * What decides on a change of addresses. The recorder writes and deletes what a factory creates, under the chain's lock. A change of the same
 * rows takes that lock before it writes, or each would wait for the other.
 */
async function readOptions(db: Queryable, id: string): Promise<Options> {
  const { rows } = await db.query<Options>(
    `SELECT COALESCE(options ->> 'anyAddress' = 'true', false) AS any_address, options -> 'createdBy' IS NOT NULL AS has_factory
     FROM webhooks WHERE id = $1`,
    [id],
  );
  return rows[0] ?? { any_address: false, has_factory: false };
}

/** Removes addresses from a webhook of an account. Those it does not watch are ignored. @throws {ServiceError} */
export async function removeAddresses(
  db: Queryable,
  accountId: number,
  id: string,
  addresses: readonly string[],
): Promise<AddressChange> {
  const chainId = await takeTurn(db, accountId, id);
  if ((await readOptions(db, id)).has_factory) await lockChainForChange(db, chainId);
  // Otherwise before the chain's lock. Until the commit all readers under that lock still see the addresses.
  const { rowCount } = await db.query(
    `DELETE FROM webhook_addresses w USING ${unpackedAddresses("$3")}
     WHERE w.chain_id = $1 AND w.webhook_id = $2 AND w.address = packed.address`,
    [chainId, id, packAddresses(addresses)],
  );
  const { webhook } = await lockWebhook(db, accountId, { id, chainId });
  const removed = rowCount ?? 0;
  await countChange(db, webhook, -removed);
  return { changed: removed, firstBlock: webhook.nextBlock, webhook: await getWebhook(db, accountId, id) };
}

async function countChange(db: Queryable, webhook: LockedWebhook, difference: number): Promise<void> {
  const total = webhook.addressCount + difference;
  assertFewAddresses(total);
  if (difference !== 0)
    await db.query("UPDATE webhooks SET address_count = $2, address_changes = address_changes + 1 WHERE id = $1", [
      webhook.id,
      total,
    ]);
}

/**
 * Lists the addresses of an account's webhook in ascending order.
 *
 * @param options.after only those after this one
 * @throws {ServiceError} `webhook_not_found`
 */
export async function listAddresses(
  db: Queryable,
  accountId: number,
  id: string,
  options: { limit: number; after?: string | undefined },
): Promise<{ addresses: string[]; total: number }> {
  const { rows } = await db.query<{ addresses: string[]; total: number }>(
    `SELECT w.address_count AS total, ARRAY(${firstAddresses("$4", "decode(substr($3, 3), 'hex')")}) AS addresses
     FROM webhooks w WHERE w.id = $1 AND w.account_id = $2`,
    [id, accountId, options.after ?? "0x", options.limit],
  );
  if (!rows[0]) throw webhookNotFound(id);
  return rows[0];
}

/**
 * Addresses as one value of a statement: 20 bytes each, concatenated. As an array of texts, 10,000 have more than twice the bytes, and
 * writing them takes the process 3 ms more.
 */

/** @param addresses 0x-prefixed, in any letter case */
export function packAddresses(addresses: readonly string[]): Buffer {
  return Buffer.from(addresses.map((address) => address.slice(2)).join(""), "hex");
}

/** A table `packed` with a row for each address. @param value the expression of the packed ones */
export const unpackedAddresses = (value: string) =>
  `(SELECT substr(${value}::bytea, at, 20) AS address FROM generate_series(1, length(${value}::bytea), 20) at) packed`;

/**
 * From which block on added addresses are watched is one number for all addresses of a change. It is known only under the chain's lock. The
 * addresses are written before that, since 10,000 take 0.2 s. Until the change commits nobody sees either. Selects the id of an addition
 * that `dateAddition` will date.
 */
export const nextAddition = "SELECT nextval(pg_get_serial_sequence('address_additions', 'id')) AS addition";

export async function takeAddition(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ addition: number }>(nextAddition);
  if (!rows[0]) throw new Error("the sequence of additions returned nothing");
  return rows[0].addition;
}

/**
 * Records from which block on an addition's addresses are watched. The caller shares the chain's lock.
 *
 * @param of.watchedFrom if they are watched from an earlier block on than filters look for
 */
export async function dateAddition(
  db: Queryable,
  addition: number,
  { chainId, firstBlock, watchedFrom }: { chainId: string; firstBlock: number; watchedFrom?: number },
): Promise<void> {
  await db.query(
    "INSERT INTO address_additions (id, chain_id, effective_from_block, watched_from) VALUES ($1, $2, $3, $4)",
    [addition, chainId, firstBlock, watchedFrom ?? null],
  );
}

/**
 * Deletes additions whose first block no lane can record again. Their addresses are watched at every future block. A lane goes back at
 * most to its oldest recorded block, and records what follows. An account that arrives, or stays after all, may bring a lane that is
 * further behind.
 */
export async function forgetAdditions(db: Queryable): Promise<void> {
  await db.query(
    `DELETE FROM address_additions a USING (
       SELECT chain_id, min(COALESCE(oldest, -1)) AS oldest FROM (
         SELECT l.chain_id, (SELECT min(number) FROM chain_blocks b WHERE b.chain_id = l.chain_id AND b.lane = l.lane) AS oldest
         FROM chain_lanes l) lanes
       GROUP BY chain_id) recorded
     WHERE a.chain_id = recorded.chain_id AND a.effective_from_block <= recorded.oldest
       AND NOT EXISTS (SELECT FROM moves WHERE finished_at IS NULL)`,
  );
}
