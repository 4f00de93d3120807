/** The whole service on a real chain and a database of its own, with a client and a receiver. */

import { type Logger, pino } from "pino";
import { createWebhooksClient, type WebhooksClient } from "../../client/index.ts";
import { type EvmNode, type EvmNodeOptions, startEvmNode } from "../../scripts/local/evm-node.ts";
import { openWallet, type Wallet } from "../../scripts/local/wallet.ts";
import { type Service, startService } from "../../server/service.ts";
import type { ChainConfig } from "../../server/settings/chains.ts";
import type { Config } from "../../server/settings/config.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { readLimits } from "../../server/settings/limits.ts";
import { defaultPeriods } from "../../server/settings/periods.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createTestDatabase } from "./database.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export const testChainId = "43112";

/** The environment of a service that tests may ask as often, and as much at once, as they like. */
export const unlimited = {
  RATE_LIMIT_ADDRESS: "0",
  RATE_LIMIT_KEY: "0",
  MAX_CONCURRENT_REQUESTS: "100000",
  WEBHOOK_QUOTA: "1000000",
};

export type World = {
  node: EvmNode;
  wallet: Wallet;
  receiver: Receiver;
  service: Service;
  client: WebhooksClient;
  config: Config;
  /** Waits until the chain is followed up to a block. */
  followed(blockNumber: bigint | number): Promise<void>;
  /** Ends the service and starts it again, on the same database; `service` and `client` are new then. @param meanwhile between the two */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};

/** @param options.chain what the chain's configuration has beside the defaults of a test @param options.log by default that of TEST_LOG */
export async function startWorld(
  options: { chain?: Partial<ChainConfig>; node?: EvmNodeOptions; config?: Partial<Config>; log?: Logger } = {},
): Promise<World> {
  const [node, database, receiver] = await Promise.all([
    startEvmNode(options.node),
    createTestDatabase(),
    startReceiver(),
  ]);
  const config = testConfig(database.url, [{ ...testChain(node), ...options.chain }], options.config);
  const log = options.log ?? pino({ level: process.env.TEST_LOG ?? "silent" });
  const service = await startService(config, log);
  const { key } = await createKey(service.database.pool, { account: "test", scopes: ["read", "write"] });
  const clientOf = ({ url }: Service) => createWebhooksClient({ baseUrl: url ?? "", apiKey: key });
  const world: World = {
    node,
    wallet: await openWallet(node.rpcUrl),
    receiver,
    service,
    client: clientOf(service),
    config,
    async followed(blockNumber) {
      for (;;) {
        const { chains } = await world.client.listChains();
        const at = chains.find(({ chainId }) => chainId === testChainId)?.followedBlock;
        if (at !== undefined && BigInt(at) >= BigInt(blockNumber)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async restart(meanwhile) {
      await world.service.stop();
      await meanwhile?.();
      world.service = await startService(config, log);
      world.client = clientOf(world.service);
    },
    async stop() {
      await world.service.stop();
      await Promise.all([node.stop(), receiver.close()]);
      await database.drop();
    },
  };
  await world.followed(0);
  return world;
}

/** How tests follow their chain. */
export function testChain({ rpcUrl }: { rpcUrl: string }): ChainConfig {
  return {
    chainId: testChainId,
    name: "Test chain",
    rpcUrls: [rpcUrl],
    traces: true,
    finality: { confirmations: 64 },
    pollMs: 100,
    checks: { bloom: "on" },
  };
}

export function testConfig(databaseUrl: string, chains: readonly ChainConfig[], more: Partial<Config> = {}): Config {
  return {
    host: "127.0.0.1",
    port: 0,
    metrics: { host: "127.0.0.1", port: 0 },
    databaseUrl,
    dataDir: "",
    chains,
    allowPrivateTargets: true,
    allowHttpTargets: true,
    nameServers: undefined,
    keyring: noKeys,
    roles: new Set(["api", "follow", "deliver"]),
    logLevel: "silent",
    leaseSeconds: 60,
    limits: readLimits(unlimited),
    periods: defaultPeriods,
    ...more,
  };
}
