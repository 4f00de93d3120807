/** What the API's benches call: a database that writes to disk, with a chain, keys and a webhook, and processes that serve it. */
import type { ChildProcess } from "node:child_process";
import { startTemporaryPostgres } from "../../../scripts/local/postgres.ts";
import { createKey } from "../../../server/store/accounts/keys.ts";
import { migrate } from "../../../server/store/migrate.ts";
import { createPool, type Pool } from "../../../server/store/pool.ts";
import { chainAt } from "../../support/move-cursor.ts";
import { end, message, start } from "../deliver/processes.ts";

/** What one part found: rows of figures, and what they come to. */
export type Found = { rows: Record<string, string | number>[]; says: string[] };

/** How much to measure. */
export type Scale = { rounds: number; seconds: number };

export const benchChains = [{ chainId: "43112", name: "Bench chain", traces: true }];

/** A process that serves the API. */
export type ApiProcess = { url: string; pid: number };

export type ApiWorld = {
  pool: Pool;
  databaseUrl: string;
  key: string;
  /** Starts `server.ts` of this folder. */
  serve(kind: "bare" | "enforced"): Promise<ApiProcess>;
  close(): Promise<void>;
};

export async function openApiWorld(): Promise<ApiWorld> {
  const postgres = await startTemporaryPostgres({ durable: true });
  const pool = createPool(postgres.url, { max: 4 });
  await migrate(pool);
  await chainAt(pool, "43112", 100);
  const { key } = await createKey(pool, { account: "bench", scopes: ["read", "write"] });
  const children: ChildProcess[] = [];
  return {
    pool,
    databaseUrl: postgres.url,
    key,
    async serve(kind) {
      // Never refused: what is measured is the road, not its end.
      const unlimited = {
        RATE_LIMIT_KEY: "1000000",
        RATE_LIMIT_ADDRESS: "1000000",
        WEBHOOK_QUOTA: "10000000",
        MAX_CONCURRENT_REQUESTS: "1000",
      };
      const child = start("test/bench/api/server.ts", [kind], { DATABASE_URL: postgres.url, ...unlimited });
      children.push(child);
      return { url: `http://127.0.0.1:${await message<number>(child, "port")}`, pid: child.pid ?? 0 };
    },
    async close() {
      await Promise.all(children.map(end));
      await pool.end();
      await postgres.stop();
    },
  };
}

/** The nth webhook to create, with one address of its own. */
export function benchWebhook(n: number): string {
  const addresses = [`0x${n.toString(16).padStart(40, "0")}`];
  const eventSignatures = ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"];
  return JSON.stringify({
    url: "https://example.com/hooks",
    chainId: "43112",
    eventType: "address_activity",
    name: `bench ${n}`,
    metadata: { addresses, eventSignatures, includeLogs: true },
  });
}
