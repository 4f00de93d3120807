/** The databases of two cells. */
import { createPool, type Pool } from "../../../server/store/pool.ts";
import { createTestDatabase } from "../../support/database.ts";

/** For one world after another, each with its own chain. */
export async function openCells(): Promise<{ pools: [Pool, Pool]; close(): Promise<void> }> {
  const [here, there] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const pools: [Pool, Pool] = [createPool(here.url, { max: 5 }), createPool(there.url, { max: 5 })];
  return {
    pools,
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
      await Promise.all([here.drop(), there.drop()]);
    },
  };
}
