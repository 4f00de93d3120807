/** What is said of a chain's lanes, from what their followers noted. */
import { expect, test } from "vitest";
import { lanesByKey } from "../../server/chain/follow/lanes.ts";
import { readChainStates, stoppedLanes } from "../../server/store/chains/chains.ts";
import { createPool } from "../../server/store/pool.ts";
import { createTestDatabase } from "../support/database.ts";

test("a lane that waits for its turn counts as followed by the follower of the others", async () => {
  const database = await createTestDatabase();
  const pool = createPool(database.url);
  await pool.query(`
    INSERT INTO chains (chain_id) VALUES ('7');
    UPDATE chain_lanes SET checked_at = now(), head_seen_at = now();
    INSERT INTO chain_lanes (chain_id, traces, catches_up, checked_at, head_seen_at)
    SELECT '7', true, behind, now() - ago, now() - ago FROM (VALUES
      (false, interval '0'), (true, interval '1 hour'), (true, interval '1 second')) AS l(behind, ago)`);
  const lanes = async () => (await readChainStates(pool)).get("7")?.lanes.map(({ stopped }) => stopped?.kind);
  expect(await lanes()).toEqual([undefined, undefined]);
  await pool.query(
    "UPDATE chain_lanes SET checked_at = now() - interval '2 minutes', head_seen_at = checked_at WHERE catches_up",
  );
  await pool.query("UPDATE chain_lanes SET head_seen_at = checked_at");
  expect(await lanes()).toEqual([undefined, "unattended"]);
  // Each of the follower's leases counts for its kind of lane: who holds it may be silent for long.
  await pool.query("UPDATE chain_lanes SET checked_at = now() - interval '2 minutes', head_seen_at = NULL");
  const leases = [...lanesByKey("7")].filter(([, { isHistory }]) => !isHistory);
  expect(leases).toHaveLength(4);
  for (const traces of [false, true])
    for (const catchesUp of [false, true]) {
      const [key] = leases.find(([, kind]) => kind.traces === traces && kind.catchesUp === catchesUp) ?? [];
      await pool.query("DELETE FROM leases WHERE kind = 'chain'");
      await pool.query(
        "INSERT INTO leases (kind, key, owner, expires_at) VALUES ('chain', $1, gen_random_uuid(), now() + interval '1 minute')",
        [key],
      );
      const { rows } = await pool.query(`SELECT count(*)::int AS count FROM (${stoppedLanes}) s`);
      const { rows: all } = await pool.query(
        "SELECT count(*) FILTER (WHERE traces = $1 AND catches_up = $2)::int AS held, count(*)::int AS count FROM chain_lanes",
        [traces, catchesUp],
      );
      expect(rows[0].count, key).toBe(all[0].count - all[0].held);
    }
  await pool.end();
  await database.drop();
});
