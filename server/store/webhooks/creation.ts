/**
 * Creates webhooks, in two statements. Round trips cost most, and the account's other changes wait meanwhile. With 13
 * statements a process created 0.4 times as many a second.
 */
import { randomUUID } from "node:crypto";
import { comparisonsIn, matchedOptions, type NewWebhook, type WebhookHeader } from "../../matching/new-webhook.ts";
import type { Keyring } from "../../settings/keyring.ts";
import { assertFits, type Quotas, shownAddresses } from "../../settings/limits.ts";
import { accountElsewhere, keepHere, type MoveState } from "../accounts/may-change.ts";
import {
  type AccountRow,
  accountColumns,
  assertMayCompare,
  assertMayDecode,
  assertMayWatchAny,
  ofAccount,
  takePast,
} from "../accounts/quotas.ts";
import { assertFewHistories, type HistoryMode, type HistoryStart, historyLane, laneForNew } from "../chains/lanes.ts";
import { firstBlock, holdForChange, takeAccountsTurn } from "../chains/lock.ts";
import { shardOf } from "../delivery/shards.ts";
import type { Queryable } from "../pool.ts";
import { nextAddition, packAddresses, unpackedAddresses } from "./addresses.ts";
import { ensureSharedSecret, newSecret, sealHeaders, secretInsertion, writeHeaders } from "./secrets.ts";
import { chainNotFollowed } from "./watch-lock.ts";
import { ownId } from "./watchers.ts";
import { getWebhook, type RecordRow, recordColumns, toRecord, type Webhook } from "./webhooks.ts";

/** Where a webhook that starts in the past begins, and how the blocks of its history are read; by default whole. */
type History = HistoryStart & { mode?: HistoryMode | undefined };

/**
 * Creates an active webhook with its first secret, inside the caller's transaction.
 *
 * @param wanted.history where it begins, if it starts in the past
 * @param wanted.headers its own ones
 * @param quotas for accounts without their own; without them no quota applies
 * @throws {ServiceError} `chain_not_followed`, `over_quota`, `account_elsewhere`, `too_many_histories`
 */
export async function createWebhook(
  db: Queryable,
  accountId: number,
  wanted: NewWebhook & { history?: History | undefined; headers?: readonly WebhookHeader[] },
  keyring: Keyring,
  quotas?: Quotas,
): Promise<Webhook> {
  const { chainId, history } = wanted;
  const account = await prepare(db, { accountId, chainId, addresses: wanted.addresses });
  if (!account) throw new Error(`there is no account ${accountId}`);
  const { id } = account;
  if (account.move_state) throw accountElsewhere(account.move_state);
  const comparisons = wanted.options?.conditions ? comparisonsIn(wanted.options.conditions) : 0;
  const abiBytes = wanted.options?.abi ? Buffer.byteLength(JSON.stringify(wanted.options.abi)) : 0;
  const { secret, keyId, sealed } = keyring.seal(id, newSecret());
  const headers = sealHeaders(id, wanted.headers ?? [], keyring);
  const cursor = history?.cursor;
  const { rows } = await db.query<RecordRow>({
    ...(cursor ? creations.inThePast : history ? creations.fromGenesis : creations.live),
    values: [
      ...[id, accountId, shardOf(id), chainId, wanted.url ?? null, wanted.name, wanted.description, wanted.eventType],
      ...[wanted.eventSignatures, wanted.includeInternalTxs, wanted.includeLogs],
      ...[account.added, account.addition, secret, keyId, sealed],
      wanted.options ? JSON.stringify(wanted.options) : null,
      comparisons,
      wanted.options?.abi ? JSON.stringify(matchedOptions(wanted.options)) : null,
      abiBytes,
      wanted.maxPerSecond ?? null,
      headers && [...headers.names],
      ...(history ? [history.from] : []),
      ...(cursor ? [cursor.number, Buffer.from(cursor.hash.slice(2), "hex"), history?.mode ?? null] : []),
    ],
  });
  if (!rows[0]) throw chainNotFollowed(chainId);
  if (headers) await writeHeaders(db, id, headers);
  if (history) {
    await assertFewHistories(db, accountId, { chainId, field: "fromBlock" });
    await takePast(db, accountId, await blocksOfHistory(db, id), quotas);
  }
  if (wanted.options?.compatibility) await ensureSharedSecret(db, accountId, keyring);
  const has = { webhooks: account.webhooks + 1, addresses: account.addresses + account.added };
  if (quotas) assertFits(has, ofAccount(account, quotas));
  if (quotas && wanted.options?.anyAddress) await assertMayWatchAny(db, accountId, quotas);
  if (quotas && comparisons > 0) await assertMayCompare(db, accountId, quotas);
  if (quotas && abiBytes > 0) await assertMayDecode(db, accountId, quotas);
  // The statement that makes a lane does not see it yet.
  return history ? getWebhook(db, accountId, id) : toRecord(rows[0]);
}

/** @returns how many blocks a webhook that was just created goes through before it meets the others */
async function blocksOfHistory(db: Queryable, id: string): Promise<number> {
  const { rows } = await db.query<{ blocks: number }>(
    "SELECT created_before - effective_from_block AS blocks FROM webhooks WHERE id = $1",
    [id],
  );
  return rows[0]?.blocks ?? 0;
}

/** How many addresses are written in the statement that then locks the chain. A trigger digests them at its end: 10,000 in 30 ms. */
const mostWithLock = 100;

async function prepare(
  db: Queryable,
  { accountId, chainId, addresses }: { accountId: number; chainId: string; addresses: readonly string[] },
): Promise<Prepared | undefined> {
  const values = [accountId, chainId, randomUUID(), packAddresses(addresses)];
  if (addresses.length <= mostWithLock) {
    const { rows } = await db.query<Prepared>({ name: "prepare-webhook", text: preparation, values });
    return rows[0];
  }
  const { rows } = await db.query<Pick<Prepared, "id" | "added" | "addition">>(
    `WITH ${writing} SELECT turn.id, added, addition FROM turn, counted`,
    values,
  );
  const locked = await db.query<Omit<Prepared, "id" | "added" | "addition">>(
    `WITH chain AS MATERIALIZED (SELECT ${holdForChange("$2")}) ${locking(accountColumns, "chain")}`,
    [accountId, chainId],
  );
  return rows[0] && locked.rows[0] && { ...locked.rows[0], ...rows[0] };
}

type Prepared = AccountRow & { id: string; added: number; addition: number | null; move_state: MoveState | null };

/**
 * Takes the account's turn on the chain ($1, $2), writes the addresses, and locks the chain, then the account. Each part reads from the one
 * before, which fixes their order. Locking the account's row reads it as it is by then.
 */
const writing = `
  turn AS MATERIALIZED (
    SELECT ${ownId("tag", "$3")} AS id, ${keepHere("$1")}, ${takeAccountsTurn("$1", "$2")} FROM accounts WHERE id = $1),
  next AS MATERIALIZED (${nextAddition}),
  inserted AS (
    INSERT INTO webhook_addresses (chain_id, address, webhook_id, addition)
    SELECT $2, address, turn.id, addition FROM turn, next, ${unpackedAddresses("$4")}
    RETURNING addition),
  counted AS MATERIALIZED (SELECT count(*) AS added, max(addition) AS addition FROM inserted)`;

const locking = (columns: string, from: string) =>
  `SELECT ${columns}, move_state FROM ${from}, accounts a WHERE a.id = $1 FOR NO KEY UPDATE OF a`;

const preparation = `
  WITH ${writing}, chain AS MATERIALIZED (SELECT added, addition, ${holdForChange("$2")} FROM counted)
  ${locking(`turn.id, added, addition, ${accountColumns}`, "turn, chain")}`;

/** How the creation of a webhook differs if it starts in the past: expressions. */
type Start = {
  /** Parts of a WITH. */
  before: string;
  lane: string;
  /** Its first block, if that is not the first that no lane has recorded. */
  from: string;
  /** What must be so of the first block that no lane has recorded. */
  only?: string;
};

/** Creates the webhook's rows. The statement starts under the chain's lock, so that cursors do not move until the transaction ends. */
const creationFrom = ({ before, lane, from, only = "true" }: Start) => `
  WITH ${before} webhook AS (
    INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name, description,
      event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, created_before, lane, address_count, options,
      comparisons, matched_options, abi_bytes, max_per_second, header_names, matched_bytes)
    SELECT $1, $2, $3, $4, $5, 'active', 'created', now, now, $6, $7, $8,
      ARRAY(SELECT decode(substr(s, 3), 'hex') FROM unnest($9::text[]) s), $10, $11, COALESCE(${from}, first_block),
      CASE WHEN ${from} IS NOT NULL THEN first_block END, ${lane}, $12, $17, $18, $19, $20, $21, $22, COALESCE(octet_length(COALESCE($19::json, $17::json)::text), 0) + 66 * cardinality($9::text[])
    -- Whole milliseconds, since the record and the page token show no more.
    FROM date_trunc('milliseconds', clock_timestamp()) now, (${firstBlock("$4")}) chain WHERE first_block IS NOT NULL AND ${only}
    RETURNING *),
  addition AS (
    INSERT INTO address_additions (id, chain_id, effective_from_block, watched_from)
    SELECT $13::bigint, chain_id, COALESCE(created_before, effective_from_block), ${from} FROM webhook WHERE $13::bigint IS NOT NULL),
  sequence AS (INSERT INTO webhook_sequences (webhook_id) SELECT id FROM webhook),
  ${secretInsertion("SELECT id FROM webhook", { secret: "$14", keyId: "$15", sealed: "$16" })}
  SELECT ${recordColumns(shownAddresses)} FROM webhook w`;

const liveLane = laneForNew("$4", "$10", "$2");
const creations = {
  live: { name: "create-webhook", text: creationFrom({ before: "", lane: liveLane, from: "NULL::bigint" }) },
  fromGenesis: {
    name: "create-webhook-from-genesis",
    // A block may have been recorded meanwhile.
    text: creationFrom({ before: "", lane: liveLane, from: "$23::bigint", only: "first_block <= 1" }),
  },
  inThePast: {
    name: "create-webhook-in-the-past",
    text: creationFrom({
      before: `${historyLane({ chainId: "$4", traces: "$10::boolean", accountId: "$2::bigint", number: "$24::bigint", hash: "$25::bytea", mode: "$26::text" })},`,
      lane: "(SELECT lane FROM history)",
      from: "$23::bigint",
    }),
  },
};
