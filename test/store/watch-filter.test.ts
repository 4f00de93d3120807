/** The filter of watched addresses where much is changed at once, and where the tables cannot be read beside a block. */
import { randomBytes } from "node:crypto";
import { type Logger, pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { advanceCursor, beginAt, ensureChain, plainLane, readCursor } from "../../server/store/chains/cursor.ts";
import { lockChainExclusively } from "../../server/store/chains/lock.ts";
import { createPool, inTransaction, type Pool } from "../../server/store/pool.ts";
import { createWatchFilter, type WatchFilter } from "../../server/store/webhooks/watch-filter.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
  await pool.query("INSERT INTO accounts (name) VALUES ('test')");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const addressOf = (n: number) => `0x${n.toString(16).padStart(40, "0")}`;
const hashOf = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;

/** Makes a chain with a webhook that watches the addresses up to a number. @returns the webhook's identifier */
async function watchChain(chainId: string, addresses: number): Promise<string> {
  await ensureChain(pool, chainId);
  await beginAt(pool, plainLane(chainId), { number: 0, hash: hashOf(0) });
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO webhooks SELECT gen_random_uuid(), 1, 0, $1, 'https://example.com', 'active', 'created', now(), now(), '', '',
       'address_activity', '{}', false, false, 0, $2 RETURNING id`,
    [chainId, addresses],
  );
  const id = rows[0]?.id ?? "";
  await watch(chainId, id, { from: 1, to: addresses });
  return id;
}

const watch = (chainId: string, id: string, { from, to }: { from: number; to: number }) =>
  pool.query(
    `WITH addition AS (
       INSERT INTO address_additions (chain_id, effective_from_block)
       SELECT chain_id, cursor_number + 1 FROM chain_lanes WHERE chain_id = $1 RETURNING id)
     INSERT INTO webhook_addresses SELECT $1, decode(lpad(to_hex(n), 40, '0'), 'hex'), $2, id
     FROM generate_series($3::int, $4::int) n, addition`,
    [chainId, id, from, to],
  );

const filterOf = (chainId: string, { of = pool, log = pino({ level: "silent" }) }: { of?: Pool; log?: Logger } = {}) =>
  createWatchFilter({ pool: of, lane: plainLane(chainId), log, signal: new AbortController().signal });

/** Records a block in which the addresses take part. @returns which of them are found to be watched */
const record = async (chainId: string, filter: WatchFilter, addresses: readonly string[], of = pool) =>
  (await recordAfterGuess(chainId, filter, addresses, of)).found;

/** @returns also whether the guess was right */
const recordAfterGuess = (chainId: string, filter: WatchFilter, addresses: readonly string[], of = pool) =>
  inTransaction(of, async (db) => {
    await lockChainExclusively(db, chainId);
    const guess = await filter.guess(db, addresses);
    const recorded = await readCursor(db, plainLane(chainId));
    const number = (recorded.cursor?.number ?? 0) + 1;
    const watched = await filter.findWatchers(db, recorded, addresses, { guess });
    const mark = await advanceCursor(db, plainLane(chainId), {
      blocks: [{ number, hash: hashOf(number) }],
      finalNumber: 0,
    });
    if (mark) filter.moved(mark);
    return { found: [...watched.at(number).keys()].sort(), isGuessed: watched === guess?.watched };
  });

async function untilInUse(chainId: string, filter: WatchFilter): Promise<void> {
  while (!filter.state().inUse) await record(chainId, filter, []);
}

test("more addresses than are read with a block are added before it: each is found in it", async () => {
  const id = await watchChain("1", 10);
  const filter = filterOf("1");
  await untilInUse("1", filter);
  await watch("1", id, { from: 11, to: 100_200 });
  const some = [addressOf(11), addressOf(60_000), addressOf(100_200)];
  expect(await record("1", filter, some)).toEqual(some);
  await untilInUse("1", filter);
  expect(await record("1", filter, some)).toEqual(some);
});

test("when most addresses that pass are no longer watched, it is rebuilt smaller", async () => {
  await watchChain("2", 20_000);
  const filter = filterOf("2");
  await untilInUse("2", filter);
  const { bytes } = filter.state();
  const rest = "chain_id = '2' AND get_byte(address, 19) = 1";
  await pool.query(`DELETE FROM webhook_addresses WHERE chain_id = '2' AND NOT (${rest})`);
  await pool.query(
    `UPDATE webhooks SET address_count = (SELECT count(*) FROM webhook_addresses WHERE ${rest}) WHERE chain_id = '2'`,
  );
  const all = Array.from({ length: 20_000 }, (_, index) => addressOf(index + 1));
  for (let block = 0; block < 6; block += 1) expect(await record("2", filter, all)).toHaveLength(79);
  await untilInUse("2", filter);
  expect(filter.state().bytes).toBeLessThan(bytes);
  expect(await record("2", filter, all)).toHaveLength(79);
});

test("a guess before the cursor is known counts unless something was added, or others have recorded", async () => {
  const id = await watchChain("5", 10);
  const filter = filterOf("5");
  await untilInUse("5", filter);
  const some = [addressOf(5), addressOf(15)];
  const guess = () => recordAfterGuess("5", filter, some);
  await record("5", filter, []);
  expect(await guess()).toEqual({ found: [addressOf(5)], isGuessed: true });
  await watch("5", id, { from: 11, to: 20 });
  expect(await guess()).toEqual({ found: some, isGuessed: false });
  expect(await guess()).toEqual({ found: some, isGuessed: true });
  await watch("5", id, { from: 21, to: 30 });
  some.push(addressOf(25));
  const other = filterOf("5");
  await record("5", other, []);
  await pool.query("DELETE FROM address_additions WHERE chain_id = '5'");
  expect(await guess()).toEqual({ found: some, isGuessed: false });
  await untilInUse("5", filter);
  await record("5", filter, []);
  expect(await guess()).toEqual({ found: some, isGuessed: true });
  await pool.query(`UPDATE webhooks SET options = '{"anyAddress": true}' WHERE chain_id = '5'`);
  expect((await guess()).isGuessed).toBe(false);
});

function collecting(): { logged: string[]; log: Logger } {
  const logged: string[] = [];
  return { logged, log: pino({}, { write: (line: string) => void logged.push(line) }) };
}

test("without a free connection, blocks are recorded without the filter", async () => {
  await watchChain("3", 10);
  const narrow = createPool(database.url, { max: 1 });
  const { logged, log } = collecting();
  const filter = filterOf("3", { of: narrow, log });
  expect(await record("3", filter, [addressOf(5), addressOf(50)], narrow)).toEqual([addressOf(5)]);
  expect(filter.state().inUse).toBe(false);
  expect(logged).toEqual([]);
  await narrow.end();
});

test("reading that fails is tried again with the next block, and nothing is missed meanwhile", async () => {
  await watchChain("4", 10);
  const reader = `reader_${randomBytes(8).toString("hex")}`;
  await pool.query(`CREATE ROLE ${reader} LOGIN PASSWORD 'reader'; GRANT SELECT ON webhooks TO ${reader}`);
  const narrow = createPool(Object.assign(new URL(database.url), { username: reader, password: "reader" }).href);
  const { logged, log } = collecting();
  const filter = filterOf("4", { of: narrow, log });
  expect(await record("4", filter, [addressOf(5)])).toEqual([addressOf(5)]);
  await expect.poll(() => logged.join()).toContain("could not be read");
  await pool.query(`GRANT SELECT ON webhook_addresses TO ${reader}`);
  await untilInUse("4", filter);
  expect(await record("4", filter, [addressOf(5), addressOf(50)])).toEqual([addressOf(5)]);
  await narrow.end();
  await pool.query(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`);
});
