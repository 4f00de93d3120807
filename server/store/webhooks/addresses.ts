/** The addresses that webhooks watch. */
import { createHash, randomUUID } from "node:crypto";
import type { components } from "../../../generated/types.ts";
import { addressChangeNotFound, otherAddresses, ServiceError, webhookNotFound } from "../../base/errors.ts";
import {
  assertFewAddresses,
  assertFewCreated,
  assertFewReplays,
  assertFewStaged,
  assertFewWithFactory,
  type Quotas,
} from "../../settings/limits.ts";
import { assertMayChange } from "../accounts/may-change.ts";
import { assertWithinQuotas } from "../accounts/quotas.ts";
import { lockChainForChange } from "../chains/lock.ts";
import { countReplays, queueReplay } from "../chains/replays.ts";
import type { Queryable } from "../pool.ts";
import { type LockedWebhook, lockWebhook, takeTurn } from "./watch-lock.ts";
import { assertWebhook, digestText, firstAddresses, getWebhook, type Webhook } from "./webhooks.ts";

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
  await countChange(db, webhook, { added });
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
  const removed = await deleteAddresses(db, { id, chainId }, packAddresses(addresses));
  const { webhook } = await lockWebhook(db, accountId, { id, chainId });
  await countChange(db, webhook, { removed });
  return { changed: removed, firstBlock: webhook.nextBlock, webhook: await getWebhook(db, accountId, id) };
}

/** @returns how many the webhook watched */
async function deleteAddresses(
  db: Queryable,
  { id, chainId }: { id: string; chainId: string },
  packed: Buffer,
): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM webhook_addresses w USING ${unpackedAddresses("$3")}
     WHERE w.chain_id = $1 AND w.webhook_id = $2 AND w.address = packed.address`,
    [chainId, id, packed],
  );
  return rowCount ?? 0;
}

async function countChange(
  db: Queryable,
  webhook: LockedWebhook,
  { added = 0, removed = 0 }: { added?: number; removed?: number },
): Promise<void> {
  const total = webhook.addressCount + added - removed;
  assertFewAddresses(total);
  // A move copies the addresses of webhooks that have changed.
  if (added > 0 || removed > 0)
    await db.query("UPDATE webhooks SET address_count = $2, address_changes = address_changes + 1 WHERE id = $1", [
      webhook.id,
      total,
    ]);
}

/** A part of a change: addresses in any letter case. */
export type ChangePart = { add: readonly string[]; remove: readonly string[] };

/** A change that is made of parts, as the contract has it. */
export type ChangeState = components["schemas"]["AddressChangeState"];

type ChangeOptions = {
  quotas?: Quotas | undefined;
  commit?: boolean | undefined;
  /** What the webhook's digest must be after the commit, in lower case. */
  digest?: string | undefined;
};

/**
 * Adds a part to a change of a webhook's addresses, and applies all parts if it is the commit. These are written before the chain's lock is
 * taken, so a change of any size holds from one block on. A million new addresses took 17 s, for which only the account's other changes wait.
 *
 * @throws {ServiceError} `webhook_not_found`, `account_elsewhere`, `over_quota`, `too_many_addresses`, `any_address`, `chain_not_followed`;
 * `address_change_not_found` for a commit without parts; `other_addresses` if the digest would be another
 */
export async function changeInParts(
  db: Queryable,
  accountId: number,
  change: { id: string; changeId: string },
  part: ChangePart,
  { quotas, commit = false, digest }: ChangeOptions = {},
): Promise<ChangeState> {
  const { id, changeId } = change;
  await assertWebhook(db, accountId, id);
  await assertMayChange(db, accountId);
  const key = [id, changeId];
  await db.query(
    "DELETE FROM address_changes WHERE webhook_id = $1 AND change_id = $2 AND created_at < now() - interval '24 hours'",
    key,
  );
  if (part.add.length + part.remove.length > 0) await keepPart(db, accountId, change, part);
  const { rows } = await db.query<{ answer: ChangeState | null; toAdd: number; toRemove: number }>(
    `SELECT answer, (SELECT COALESCE(sum(to_add), 0) FROM address_change_parts p WHERE p.webhook_id = $1 AND p.change_id = $2) AS "toAdd",
       (SELECT COALESCE(sum(to_remove), 0) FROM address_change_parts p WHERE p.webhook_id = $1 AND p.change_id = $2) AS "toRemove"
     FROM address_changes WHERE webhook_id = $1 AND change_id = $2 FOR UPDATE`,
    key,
  );
  const answer = rows[0]?.answer;
  // Then it is another change, under an identifier that was used before.
  if (answer?.addressDigest !== undefined && commit && (digest ?? answer.addressDigest) !== answer.addressDigest)
    throw otherAddresses(answer.addressDigest);
  if (answer) return answer;
  const staged = { changeId, toAdd: rows[0]?.toAdd ?? 0, toRemove: rows[0]?.toRemove ?? 0 };
  if (!commit) return { ...staged, committed: false };
  if (!rows[0]) throw addressChangeNotFound(changeId);
  const applied = await applyChange(db, accountId, change, staged.toAdd + staged.toRemove);
  if (quotas && applied.added > 0) await assertWithinQuotas(db, accountId, quotas);
  const { addressCount, addressDigest } = await getWebhook(db, accountId, id);
  if (digest !== undefined && digest !== addressDigest) throw otherAddresses(addressDigest);
  const result: ChangeState = { ...staged, committed: true, ...applied, addressCount, addressDigest };
  await db.query("UPDATE address_changes SET answer = $3 WHERE webhook_id = $1 AND change_id = $2", [
    ...[id, changeId],
    JSON.stringify(result),
  ]);
  return result;
}

/** Keeps a part that is not yet committed. One that is sent again is kept once. */
async function keepPart(
  db: Queryable,
  accountId: number,
  { id, changeId }: { id: string; changeId: string },
  { add, remove }: ChangePart,
): Promise<void> {
  const [added, removed] = [packAddresses(add), packAddresses(remove)];
  const content = createHash("sha256").update(`${added.length}`).update(added).update(removed).digest();
  // It locks the change, so its commit has all parts or none after it.
  const { rows } = await db.query<{ committed: boolean }>(
    `INSERT INTO address_changes AS c (webhook_id, change_id, account_id) VALUES ($1, $2, $3)
     ON CONFLICT (webhook_id, change_id) DO UPDATE SET account_id = c.account_id RETURNING answer IS NOT NULL AS committed`,
    [id, changeId, accountId],
  );
  if (rows[0]?.committed) return;
  await db.query(
    `INSERT INTO address_change_parts (webhook_id, change_id, content, added, removed, to_add, to_remove)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [id, changeId, content, added, removed, added.length / 20, removed.length / 20],
  );
  // Not the account's row: recorders wait for that one under the locks of chains, and a commit of a million goes on for 17 s.
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('chain-webhooks staged ' || $1::bigint, 0))", [
    accountId,
  ]);
  const { rows: used } = await db.query<{ addresses: number; parts: number; changes: number }>(
    `SELECT (SELECT count(*) FROM address_changes WHERE account_id = $1) AS changes, count(p) AS parts,
       COALESCE(sum(to_add + to_remove), 0) AS addresses
     FROM address_changes c JOIN address_change_parts p USING (webhook_id, change_id) WHERE account_id = $1`,
    [accountId],
  );
  if (used[0]) assertFewStaged(used[0]);
}

/** About how many addresses of a change are written in one statement: a part more than these at most. */
const appliedTogether = 20_000;

/** Applies the parts of a change, and deletes them. */
async function applyChange(
  db: Queryable,
  accountId: number,
  { id, changeId }: { id: string; changeId: string },
  size: number,
): Promise<{ added: number; removed: number; effectiveFromBlock: string }> {
  const chainId = await takeTurn(db, accountId, id);
  const { any_address: isAny, has_factory: hasFactory } = await readOptions(db, id);
  if (isAny) throw new ServiceError("any_address", "addresses must not be changed of a webhook with anyAddress.");
  if (hasFactory) {
    assertFewWithFactory(size);
    await lockChainForChange(db, chainId);
  }
  const addition = await takeAddition(db);
  // Small parts together: a thousand of them, one after the other, would keep the chain's lock for seconds. Not all, since they may have 40 MB.
  const { rows: batches } = await db.query<{ contents: Buffer[] }>(
    `SELECT array_agg(content) AS contents FROM (
       SELECT content, sum(to_add + to_remove) OVER (ORDER BY content) / $3 AS batch
       FROM address_change_parts WHERE webhook_id = $1 AND change_id = $2) p
     GROUP BY batch ORDER BY batch`,
    [id, changeId, appliedTogether],
  );
  const each = async (column: "added" | "removed", apply: (packed: Buffer) => Promise<number>) => {
    let sum = 0;
    for (const { contents } of batches) {
      const { rows } = await db.query<{ packed: Buffer }>(
        `SELECT string_agg(${column}, '') AS packed FROM address_change_parts
         WHERE webhook_id = $1 AND change_id = $2 AND content = ANY($3::bytea[])`,
        [id, changeId, contents],
      );
      if (rows[0] && rows[0].packed.length > 0) sum += await apply(rows[0].packed);
    }
    return sum;
  };
  const removed = await each("removed", (packed) => deleteAddresses(db, { id, chainId }, packed));
  const added = await each("added", (packed) =>
    insertAddresses(db, { id, chainId, addition, replay: undefined }, packed),
  );
  await db.query("DELETE FROM address_change_parts WHERE webhook_id = $1 AND change_id = $2", [id, changeId]);
  const { webhook, firstBlock } = await lockWebhook(db, accountId, { id, chainId });
  if (added > 0) await dateAddition(db, addition, { chainId, firstBlock });
  await countChange(db, webhook, { added, removed });
  return { added, removed, effectiveFromBlock: String(added > 0 ? firstBlock : webhook.nextBlock) };
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
     FROM webhooks w WHERE w.id = $1 AND w.account_id = $2 AND w.chain_id <> 'operational'`,
    [id, accountId, options.after ?? "0x", options.limit],
  );
  if (!rows[0]) throw webhookNotFound(id);
  return rows[0];
}

/** The addresses that a webhook was given, of those with one prefix: how many there are, and their digest. */
type PrefixDigest = { prefix: string; count: number; digest: string };

/** How many of these an answer has at most. */
const mostDigests = 256;

/**
 * Divides the addresses that an account's webhook was given by their prefixes. By the first byte it reads 256 rows. Below, it reads the
 * addresses that have the prefixes: 4,000 of a million take 20 ms, and a million that all have one take 4 s.
 *
 * @param prefixes `0x` and hex digits in lower case; none of them begins another
 * @throws {ServiceError} `webhook_not_found`
 */
export async function listDigests(
  db: Queryable,
  accountId: number,
  id: string,
  prefixes: readonly string[],
): Promise<PrefixDigest[]> {
  await assertWebhook(db, accountId, id);
  if (prefixes.length === 0) {
    const { rows } = await db.query<PrefixDigest>(
      `SELECT '0x' || lpad(to_hex(first_byte::int), 2, '0') AS prefix, count, ${digestText("digest")} AS digest
       FROM webhook_address_digests WHERE webhook_id = $1 AND count > 0 ORDER BY first_byte`,
      [id],
    );
    return rows;
  }
  const { rows } = await db.query<PrefixDigest>(
    `WITH found AS MATERIALIZED (
       SELECT a.address, length(p) AS digits FROM unnest($2::text[]) p, LATERAL (
         SELECT address FROM webhook_addresses a
         WHERE a.webhook_id = $1 AND a.address BETWEEN decode(rpad(p, 40, '0'), 'hex') AND decode(rpad(p, 40, 'f'), 'hex') AND a.created_in IS NULL) a),
     most AS (SELECT count(*) <= $4 AS are_few FROM (SELECT FROM found LIMIT $4 + 1) counted)
     SELECT '0x' || left(encode(address, 'hex'), CASE WHEN are_few THEN 40 ELSE digits + $3 END) AS prefix, count(*),
       ${digestText("bit_xor(address_digest(address))")} AS digest
     FROM found, most GROUP BY 1 ORDER BY 1`,
    [id, prefixes.map((prefix) => prefix.slice(2)), prefixes.length === 1 ? 2 : 1, mostDigests],
  );
  return rows;
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
