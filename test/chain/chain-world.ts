/** A follower on a real chain, behind a proxy that can misbehave, and its database; nothing is delivered. */

import { type Logger, pino } from "pino";
import { expect, vi } from "vitest";
import { type EvmNode, type EvmNodeOptions, startEvmNode } from "../../scripts/local/evm-node.ts";
import type { NewWebhook } from "../../server/matching/new-webhook.ts";
import { type Service, startService } from "../../server/service.ts";
import type { ChainConfig } from "../../server/settings/chains.ts";
import type { Config } from "../../server/settings/config.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { ensureChain, plainLane, readCursor } from "../../server/store/chains/cursor.ts";
import type { HistoryMode, HistoryStart } from "../../server/store/chains/lanes.ts";
import { createPool, inTransaction, type Pool } from "../../server/store/pool.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import type { Webhook } from "../../server/store/webhooks/webhooks.ts";
import { createTestDatabase } from "../support/database.ts";
import { patienceMs } from "../support/patience.ts";
import { type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";
import { testChain, testChainId, testConfig } from "../support/service.ts";
import { followedTo } from "./followed-to.ts";
import { type LocalChain, openChain } from "./local-chain.ts";
import { type Notified, notifiedOf } from "./notified.ts";

export type ChainWorld = {
  node: EvmNode;
  /** The node itself, past the proxy. */
  chain: LocalChain;
  proxy: RpcProxy;
  databaseUrl: string;
  pool: Pool;
  /** What the follower logged, one object a line. */
  logged: Record<string, unknown>[];
  /** Starts a follower, unless one is running. */
  start(chain?: Partial<ChainConfig>, config?: Partial<Config>): Promise<Service>;
  /** Stops it. */
  halt(): Promise<void>;
  /** @param wanted.history where it starts, if that is in the past */
  watch(
    wanted: Partial<NewWebhook> & { history?: HistoryStart & { mode?: HistoryMode } },
    accountId?: number,
  ): Promise<Webhook>;
  notified(webhook: Pick<Webhook, "id">): Promise<Notified[]>;
  /** Waits until a webhook is notified of every transfer to its one address, and asserts that each is there once, in order. */
  assertExact(webhook: Webhook): Promise<void>;
  /** Waits until the node's newest block is the cursor of every lane, and each webhook is in the lane that it wants. */
  followed(of?: LocalChain): Promise<void>;
  cursor(): Promise<{ number: number; hash: string } | undefined>;
  /** Why the lane is not followed any further, if so. */
  stopped(of?: { traces: boolean }): Promise<string | null>;
  stop(): Promise<void>;
};

/** @param options.chain what the chain's configuration has besides the defaults of a test */
export async function startChainWorld(
  options: { chain?: Partial<ChainConfig>; node?: EvmNodeOptions } = {},
): Promise<ChainWorld> {
  const [node, database] = await Promise.all([startEvmNode(options.node), createTestDatabase()]);
  const proxy = await startRpcProxy(node.rpcUrl);
  const pool = createPool(database.url);
  await ensureChain(pool, testChainId);
  await pool.query("INSERT INTO accounts (name) VALUES ('test')");
  const chain = await openChain(node.rpcUrl);
  const logged: Record<string, unknown>[] = [];
  let service: Service | undefined;
  const world: ChainWorld = {
    node,
    chain,
    proxy,
    databaseUrl: database.url,
    pool,
    logged,
    async start(chain = {}, config = {}) {
      const followed = { ...testChain({ rpcUrl: proxy.url }), pollMs: 50, ...options.chain, ...chain };
      const whole = testConfig(database.url, [followed], { roles: new Set(["follow"]), ...config });
      service ??= await startService(whole, collectingLog(logged));
      return service;
    },
    async halt() {
      await service?.stop();
      service = undefined;
    },
    watch: (wanted, accountId = 1) =>
      inTransaction(pool, (db) => createWebhook(db, accountId, { ...plainWebhook, ...wanted }, noKeys)),
    notified: ({ id }) => notifiedOf(pool, id),
    async assertExact({ id, metadata }) {
      const expected = (await chain.transactionsTo(metadata.addresses[0] ?? "")).map(({ hash }) => hash);
      const notified = async () => (await notifiedOf(pool, id)).map(({ transactionHash }) => transactionHash);
      await soon(async () => expect((await notified()).length).toBeGreaterThanOrEqual(expected.length));
      expect(await notified()).toEqual(expected);
    },
    followed: (of = chain) =>
      soon(async () => {
        const { hash } = await of.head();
        if ((await followedTo(pool)) !== hash) throw new Error(`not everything is followed to ${hash}`);
      }),
    cursor: async () => (await readCursor(pool, plainLane(testChainId))).cursor,
    async stopped({ traces } = { traces: false }) {
      const { rows } = await pool.query<{ stopped: string | null }>(
        "SELECT stopped FROM chain_lanes WHERE traces = $1 AND NOT catches_up",
        [traces],
      );
      return rows[0]?.stopped ?? null;
    },
    async stop() {
      await world.halt();
      await pool.end();
      await Promise.all([proxy.close(), node.stop(), database.drop()]);
    },
  };
  return world;
}

/** Tries until it does not throw. @param timeoutMs for what need not come */
export function soon<T>(attempt: () => Promise<T>, timeoutMs = patienceMs): Promise<T> {
  return vi.waitFor(attempt, { timeout: timeoutMs, interval: 50 });
}

const plainWebhook: NewWebhook = {
  url: "https://example.com/hook",
  chainId: testChainId,
  eventType: "address_activity",
  name: "",
  description: "",
  includeInternalTxs: false,
  includeLogs: false,
  addresses: [],
  eventSignatures: [],
};

function collectingLog(logged: Record<string, unknown>[]): Logger {
  return pino(
    { level: "debug" },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
}
