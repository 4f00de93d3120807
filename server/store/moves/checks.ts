/** What must hold before an account moves. Each refusal names what is wrong, and where. */
import { ServiceError } from "../../base/errors.ts";
import { stoppedLanes } from "../chains/chains.ts";
import type { Queryable } from "../pool.ts";
import { assertGrown } from "./lanes.ts";
import { type Cells, type Run, readState } from "./record.ts";

const refused = (message: string) => new ServiceError("move_refused", message);

/** @throws {ServiceError} `move_refused` unless both databases were migrated by the same files */
export async function assertSameSchema({ from, to }: Cells): Promise<void> {
  const [here, there] = [await readSchema(from.pool), await readSchema(to.pool)];
  if (areSame(here, there)) return;
  if (here.version === there.version)
    throw refused(`The schema of ${to.name} differs from this cell's, though both are at version ${here.version}.`);
  throw refused(
    `The schema of ${to.name} is at version ${there.version}, and this cell's at ${here.version}. Upgrade the older cell first.`,
  );
}

/** Whether both databases were migrated by the same files. */
export async function hasSameSchema({ from, to }: Cells): Promise<boolean> {
  return areSame(await readSchema(from.pool), await readSchema(to.pool));
}

type Schema = { version: number; files: string };
const areSame = (one: Schema, other: Schema) => one.version === other.version && one.files === other.files;

async function readSchema(db: Queryable): Promise<Schema> {
  const made = await db.query<{ made: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS made");
  if (!made.rows[0]?.made) return { version: 0, files: "" };
  const { rows } = await db.query<Schema>(
    "SELECT COALESCE(max(version), 0)::int AS version, COALESCE(string_agg(md5, ' ' ORDER BY version), '') AS files FROM schema_migrations",
  );
  return rows[0] ?? { version: 0, files: "" };
}

/**
 * @param move.id the move's own, once it has begun
 * @throws {ServiceError} `move_refused` if the new cell has another account of this name or tag, or one of its webhooks
 */
export async function assertNothingThere(
  { from, to }: Cells,
  { account, id }: Pick<Run, "account"> & Partial<Run>,
): Promise<void> {
  await assertInNoOtherMove({ from, to }, account, id);
  const own = await from.pool.query<{ tag: string | null }>(
    "SELECT to_jsonb(a) ->> 'tag' AS tag FROM accounts a WHERE name = $1",
    [account],
  );
  const tag = own.rows[0]?.tag ?? null;
  const { rows } = await to.pool.query<{ name: string; tag: string | null; id: number }>(
    `SELECT id, name, to_jsonb(a) ->> 'tag' AS tag FROM accounts a
     WHERE (name = $1 OR to_jsonb(a) ->> 'tag' = $2)
       AND NOT (name = $1 AND to_jsonb(a) ->> 'tag' IS NOT DISTINCT FROM $2 AND move_state IS NOT DISTINCT FROM 'left')`,
    [account, tag],
  );
  if (rows.some(({ name }) => name === account)) throw refused(`${to.name} already has an account ${account}.`);
  if (rows[0]) throw refused(`${to.name} already has the tag ${tag}, of the account ${rows[0].name}.`);
  const webhooks = await from.pool.query<{ id: string }>(
    "SELECT w.id FROM webhooks w JOIN accounts a ON a.id = w.account_id WHERE a.name = $1",
    [account],
  );
  const same = await to.pool.query<{ id: string }>(
    `SELECT w.id FROM webhooks w JOIN accounts a ON a.id = w.account_id WHERE a.name <> $1 AND w.id = ANY($2::uuid[]) LIMIT 1`,
    [account, webhooks.rows.map(({ id }) => id)],
  );
  if (same.rows[0]) throw refused(`${to.name} already has the webhook ${same.rows[0].id}, of another account.`);
}

/** What is left of a move that was undone counts as one, too. */
async function assertInNoOtherMove({ from, to }: Cells, account: string, id: string | undefined): Promise<void> {
  const { rows } = await to.pool.query<{ id: string; otherCell: string }>(
    `SELECT id, other_cell AS "otherCell" FROM moves
     WHERE account = $1 AND id IS DISTINCT FROM $2 AND (finished_at IS NULL OR (direction = 'in' AND state = 'aborted'))`,
    [account, id ?? null],
  );
  const [other] = rows;
  if (!other) return;
  if ((await readState(from.pool, other.id, "out")) === "aborted")
    throw refused(
      `${to.name} still has copies of ${account}, from a move that was undone. Run the command with --abort once more, which removes them.`,
    );
  throw refused(`${to.name} takes part in another move of ${account}, with ${other.otherCell}.`);
}

/**
 * @throws {ServiceError} `move_refused` unless the new cell follows all of the account's chains, for long enough, and on the same branch as
 *   this cell below what can still be replaced
 */
export async function assertSameChains({ from, to }: Cells, { account }: Pick<Run, "account">): Promise<void> {
  const wanted = await readChains(from.pool, account);
  const { rows: followed } = await to.pool.query<{ chainId: string; stopped: string | null }>(
    `SELECT l.chain_id AS "chainId", s.stopped
     FROM chain_lanes l LEFT JOIN (${stoppedLanes}) s ON s.chain_id = l.chain_id AND s.lane = l.lane
     WHERE l.lane = 0 AND l.cursor_number IS NOT NULL`,
  );
  const missing = wanted.filter((chainId) => !followed.some((row) => row.chainId === chainId));
  if (missing.length > 0)
    throw refused(
      `${to.name} must also follow the ${missing.length === 1 ? "chain" : "chains"} ${missing.join(", ")}.`,
    );
  const stopped = followed.find((row) => wanted.includes(row.chainId) && row.stopped !== null);
  if (stopped) throw refused(`${to.name} does not follow chain ${stopped.chainId} at present: ${stopped.stopped}`);
  await assertGrown(to.pool, wanted);
  for (const chainId of wanted) await assertSameBranch({ from, to }, chainId);
}

/** @throws {ServiceError} `move_refused` while a lane of the new cell is too young for the account's lanes to join it */
export async function assertChainsGrown({ from, to }: Cells, { account }: Pick<Run, "account">): Promise<void> {
  await assertGrown(to.pool, await readChains(from.pool, account));
}

async function readChains(db: Queryable, account: string): Promise<string[]> {
  const { rows } = await db.query<{ chainId: string }>(
    `SELECT DISTINCT chain_id AS "chainId" FROM webhooks w JOIN accounts a ON a.id = w.account_id WHERE a.name = $1 AND chain_id <> 'operational' ORDER BY 1`,
    [account],
  );
  return rows.map(({ chainId }) => chainId);
}

/** Compares the oldest block that both have on record. One of them can no longer replace it. */
async function assertSameBranch({ from, to }: Cells, chainId: string): Promise<void> {
  const select =
    "SELECT number, encode(hash, 'hex') AS hash FROM chain_blocks WHERE chain_id = $1 AND lane = 0 AND hash <> '' ORDER BY number";
  type Block = { number: number; hash: string };
  const here = new Map(
    (await from.pool.query<Block>(select, [chainId])).rows.map(({ number, hash }) => [number, hash]),
  );
  const there = (await to.pool.query<Block>(select, [chainId])).rows;
  const common = there.find(({ number }) => here.has(number));
  if (!common || here.get(common.number) === common.hash) return;
  throw refused(
    `The cells have different blocks ${common.number} of chain ${chainId}, which one of them can no longer replace. Are their nodes on the same chain?`,
  );
}
