/** The role `read`: publishes the blocks of all chains. A process with this role only needs no database. */

import { type Listening, listen } from "./api/listening/listen.ts";
import { createMonitoring } from "./api/monitoring/app.ts";
import type { ChainConfig } from "./chain/config.ts";
import { publishChain } from "./chain/follow/publish.ts";
import { createReadState, type ReadState } from "./chain/follow/read-state.ts";
import { type BlocksConnection, connectBlocks } from "./chain/stream/connection.ts";
import type { Config } from "./config.ts";
import type { Logger } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

/** Whether the process reads, and does nothing else. */
export const onlyReads = ({ roles }: Pick<Config, "roles">): boolean => roles.size === 1 && roles.has("read");

/** A process's running roles. */
export type Running = {
  /** The URL of the API, such as `http://127.0.0.1:3000`; undefined without the role `api`. */
  url: string | undefined;
  /** Where metrics and health are served; undefined if not configured. */
  metricsUrl: string | undefined;
  /** Accepts nothing new, finishes what is in flight, and shuts down. */
  stop(): Promise<void>;
};

/** @throws when the port of metrics is in use, or {ServiceError} `package_missing` */
export async function startReading(config: Config, log: Logger): Promise<Running> {
  if (!config.blocks) throw new Error("a reader needs a stream");
  const metrics = createMetrics(config.cell);
  const blocks = connectBlocks(config.blocks, log);
  const publishing = publishAll({ chains: config.chains, blocks, log, metrics });
  let operations: Listening | undefined;
  const stop = async () => {
    operations?.announceStop();
    await publishing.stop();
    await blocks.close();
    await operations?.close();
  };
  try {
    const { chains, cell } = config;
    const shown = { pool: undefined, states: publishing.states, log, metrics, chains, cell };
    if (config.metrics) operations = await listen(createMonitoring(shown), config.metrics);
    return { url: undefined, metricsUrl: operations?.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Publishes each chain's blocks until it is stopped. */
export function publishAll(work: {
  chains: readonly ChainConfig[];
  blocks: BlocksConnection;
  log: Logger;
  metrics: Metrics;
}): { states: () => Map<string, ReturnType<ReadState["current"]>>; stop: () => Promise<void> } {
  const { chains, ...others } = work;
  const ending = new AbortController();
  const states = new Map<string, ReadState>();
  const running = chains.map((chain) => {
    const state = createReadState(chain);
    states.set(chain.chainId, state);
    return publishChain({ ...others, chain, state, signal: ending.signal });
  });
  return {
    states: () => new Map([...states].map(([chainId, state]) => [chainId, state.current()])),
    async stop() {
      ending.abort();
      await Promise.all(running);
    },
  };
}
