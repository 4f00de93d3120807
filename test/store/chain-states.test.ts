/** What is said of a chain's lanes, from what their followers noted. */
import { expect, test } from "vitest";
import { readChainStates } from "../../server/store/chains/chains.ts";
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
  await pool.end();
  await database.drop();
});
