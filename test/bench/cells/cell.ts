/** A cell as an operator starts it: a PostgreSQL that waits for its disk, and one process with all roles. */
import { createWebhooksClient } from "../../../client/index.ts";
import { startTemporaryPostgres } from "../../../scripts/local/postgres.ts";
import type { ChainConfig } from "../../../server/settings/chains.ts";
import { createKey } from "../../../server/store/accounts/keys.ts";
import { createPool } from "../../../server/store/pool.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { attempted } from "../deliver/outbox.ts";
import { cpuMs } from "../deliver/processes.ts";

export type Cell = Awaited<ReturnType<typeof startCell>>;

/** What `serve` has unless it is set, where the processes of tests have something else. */
export const asServed = { LEASE_SECONDS: "10", LOG_LEVEL: "info" };

/** So many webhooks are created at the same time. */
const concurrent = 4;

/** @param blocksUrl of the stream; undefined to follow from the node */
export async function startCell(name: string, chain: ChainConfig, blocksUrl?: string) {
  const postgres = await startTemporaryPostgres({ durable: true });
  const env = { ...asServed, CELL: name, ...(blocksUrl && { BLOCKS: blocksUrl }) };
  const service = await startServiceProcess(postgres.url, [chain], { env });
  const baseUrl = await service.started;
  const pool = createPool(postgres.url, { max: 1 });
  const { key } = await createKey(pool, { account: "bench", scopes: ["read", "write"] });
  const client = createWebhooksClient({ baseUrl, apiKey: key });
  return {
    /** Creates webhooks that watch the address. */
    async watch(address: string, url: string, count: number): Promise<void> {
      const metadata = { addresses: [address] };
      const body = { url, chainId: chain.chainId, eventType: "address_activity", metadata } as const;
      const create = () => client.createWebhook({ body });
      for (let made = 0; made < count; made += concurrent)
        await Promise.all(Array.from({ length: Math.min(concurrent, count - made) }, create));
    },
    /** The newest block that it followed, and whether that came from the stream. */
    async followed(): Promise<{ number: number; streamed: boolean }> {
      const { rows } = await pool.query<{ number: number | null; streamed: boolean }>(
        "SELECT cursor_number AS number, stream IS NOT NULL AS streamed FROM chain_lanes WHERE lane = 0",
      );
      return { number: rows[0]?.number ?? 0, streamed: rows[0]?.streamed ?? false };
    },
    attempted: () => attempted(pool),
    cpuMs: () => ({ service: cpuMs(service.pid) ?? Number.NaN, database: cpuMs(postgres.pid) ?? Number.NaN }),
    async stop(): Promise<void> {
      service.signal("SIGTERM");
      await service.ended;
      await pool.end();
      await postgres.stop();
    },
  };
}
