/** A follower whose COMMIT is cut off, before or after the server has it, or is refused: nothing is lost or repeated, and no node is blamed. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordStep } from "../../../server/chain/follow/record.ts";
import { readBlock } from "../../../server/chain/read/block.ts";
import type { NewWebhook } from "../../../server/matching/new-webhook.ts";
import { noKeys } from "../../../server/settings/keyring.ts";
import { beginAt, ensureChain, plainLane } from "../../../server/store/chains/cursor.ts";
import { isDatabaseUnavailable } from "../../../server/store/database-errors.ts";
import { createPool, inTransaction, type Pool } from "../../../server/store/pool.ts";
import { createWebhook } from "../../../server/store/webhooks/creation.ts";
import { createWatchFilter, noFilter, type WatchFilter } from "../../../server/store/webhooks/watch-filter.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { runs } from "../../support/runs.ts";
import { seeded } from "../../support/seeded.ts";
import { blockAt, kinds } from "../lane-followers.ts";
import { LanesWorld } from "../lanes-world.ts";
import { MadeChain } from "../made-chain.ts";
import { notifiedOf } from "../notified.ts";
import { bundleOf, watched } from "../one-transaction.ts";

const ways = ["cut before the server has it", "cut before its answer", "refused by the server"] as const;
type Way = (typeof ways)[number];

let database: TestDatabase;
let pool: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
  await pool.query("INSERT INTO accounts (name) VALUES ('test')");
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

/** As pg sends it, and as the server confirms it. */
const message = (type: "Q" | "C") => Buffer.from(`${type}\0\0\0\x0bCOMMIT\0`, "latin1");

type Gate = { url: string; close(): Promise<void> };

/** A way to the test's database. @param next how to end the next COMMIT */
async function startGate(next: () => Way | undefined): Promise<Gate> {
  const url = new URL(database.url);
  const upstream = Number(url.port);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(upstream, url.hostname);
    let way: Way | undefined;
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(one);
      one.on("error", () => undefined);
      one.on("close", () => open.delete(one) && other.destroy());
    }
    socket.on("data", (chunk) => {
      const at = chunk.indexOf(message("Q"));
      if (at >= 0) way = next();
      if (way !== "cut before the server has it") return void onward.write(chunk);
      onward.end(chunk.subarray(0, at), () => socket.destroy());
    });
    onward.on("data", (chunk) => {
      if (way !== "cut before its answer") socket.write(chunk);
      else if (chunk.includes(message("C"))) socket.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Refuses each third COMMIT of a step as a database does that wants transactions to be repeated. */
async function refuseCommits(application: string): Promise<void> {
  await pool.query("CREATE SEQUENCE commits");
  await pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF current_setting('application_name') = '${application}' AND nextval('commits') % 3 = 0 THEN
      RAISE EXCEPTION 'could not serialize access' USING ERRCODE = '40001'; END IF; RETURN NULL; END $$`);
  await pool.query(`CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON chain_lanes DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION refuse()`);
  await pool.query("ALTER TABLE chain_lanes DISABLE TRIGGER refuse");
}

test.each(ways)("whatever a lane does, of a COMMIT that is %s nothing is lost or repeated", async (way) => {
  const dice = seeded(20_261_127 + ways.indexOf(way));
  let isCutting = false;
  const gate = await startGate(() => (isCutting && dice(3) === 0 ? way : undefined));
  const followersPool = createPool(gate.url, { name: "followers", onError: () => undefined });
  let cut = 0;
  try {
    await refuseCommits("followers");
    for (let chain = 0; chain < runs(1, 3); chain += 1) {
      const world = await LanesWorld.start(pool, String(chain), followersPool);
      for (const finality of [undefined, "both", "finalized", { confirmations: 2 }] as const)
        await world.create({ includeInternalTxs: false, ...(finality && { finality }) });
      isCutting = way !== "refused by the server";
      if (!isCutting) await pool.query("ALTER TABLE chain_lanes ENABLE TRIGGER refuse");
      for (let event = 0; event < 150; event += 1) {
        const what = dice(20);
        if (what < 3) world.mine(1 + dice(3));
        else if (what < 5) world.reorganise(1 + dice(5));
        else if (what < 7) await world.setApart(dice(4));
        else if (what < 8) world.finalise(dice(6));
        else if (what < 9) await world.calmDown();
        else if (what < 10 && event % 3 === 0) await world.create({ includeInternalTxs: dice(2) === 0 });
        else if (what < 11) await world.change(dice(9), { includeInternalTxs: dice(2) === 0 });
        else {
          const kind = kinds[dice(kinds.length)] ?? "plain";
          await world.step(kind).catch((error) => {
            // Otherwise a node would be set aside.
            if (!isDatabaseUnavailable(error)) throw error;
            cut += 1;
          });
        }
      }
      isCutting = false;
      await pool.query("ALTER TABLE chain_lanes DISABLE TRIGGER refuse");
      await world.finish();
      await world.assertExact();
    }
  } finally {
    await followersPool.end();
    await gate.close();
  }
  expect(cut).toBeGreaterThan(10);
});

test("a filter whose last COMMIT was refused is not continued after another process has taken the step", async () => {
  const chainId = "filter";
  const chain = new MadeChain(chainId);
  chain.mine(10);
  await ensureChain(pool, chainId);
  await beginAt(pool, { chainId, lane: 0 }, blockAt(chain.blocks, 1));
  const lane = { ...plainLane(chainId), traces: false, catchesUp: false };
  const record = (number: number, by: WatchFilter) => {
    const blocks = [readBlock(bundleOf(blockAt(chain.blocks, number), false), chainId)];
    return recordStep(pool, lane, { cursor: blockAt(chain.blocks, number - 1), blocks, finalNumber: 0 }, by);
  };
  const { signal } = new AbortController();
  const filter = createWatchFilter({ pool, lane, log: pino({ level: "silent" }), signal });
  await record(2, filter);
  await eventually(() => expect(filter.state().inUse).toBe(true));
  await record(3, filter);
  await pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not serialize access' USING ERRCODE = '40001'; END $$`);
  await pool.query(`CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON chain_lanes DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION refuse()`);
  await expect(record(4, filter)).rejects.toSatisfy(isDatabaseUnavailable);
  await pool.query("DROP TRIGGER refuse ON chain_lanes");
  await record(4, noFilter(lane));
  const { id } = await inTransaction(pool, (db) => createWebhook(db, 1, { ...plainWebhook, chainId }, noKeys));
  await record(5, noFilter(lane));
  await record(6, filter);
  expect((await notifiedOf(pool, id)).map(({ blockNumber }) => blockNumber)).toEqual([5, 6]);
});

const plainWebhook: NewWebhook = {
  ...{ chainId: "", url: "https://example.com/hook", name: "", description: "", eventType: "address_activity" },
  ...{ addresses: [watched], eventSignatures: [], includeInternalTxs: false, includeLogs: false },
};
