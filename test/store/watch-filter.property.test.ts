/** Whatever changes, and whichever process records: matching with the filter finds what it finds without it. */

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { runs } from "../support/runs.ts";
import { alone, concurrent, type Event } from "./filter-events.ts";
import { FilterWorld } from "./filter-world.ts";

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

const atOnce = fc.oneof(
  { weight: 5, arbitrary: fc.array(concurrent, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.tuple(alone) },
);

/** What was removed is back in the state that the first block of a filter was to follow on. */
const removedAndBack: Event[][] = [
  [{ do: "create", webhook: 0, addresses: [0] }],
  [{ do: "record", process: 0 }],
  [{ do: "backUp" }],
  [{ do: "remove", webhook: 0, addresses: [0] }],
  [{ do: "fail", process: 1 }],
  [{ do: "restore" }],
  [{ do: "untilInUse", process: 1 }],
  [{ do: "record", process: 1 }],
];

test("two processes, reorganisations, restarts, failures and restored databases: no watcher is missed", async () => {
  let [filtered, guessed] = [0, 0];
  let chain = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(atOnce, { minLength: 20, maxLength: 50, size: "max" }), async (events) => {
      chain += 1;
      const world = await FilterWorld.start(pool, String(chain));
      for (const together of events) await Promise.all(together.map((event) => world.happen(event)));
      filtered += world.filtered;
      guessed += world.guessed;
    }),
    { numRuns: runs(3, 25), examples: [[removedAndBack]] },
  );
  expect(filtered).toBeGreaterThan(runs(5, 100));
  expect(guessed).toBeGreaterThan(runs(0, 20));
});
