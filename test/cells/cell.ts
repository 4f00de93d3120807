/** A cell as an operator runs it: a PostgreSQL server and processes of its own, each of which can be killed. */
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { freePort } from "../support/free-port.ts";
import { type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";
import { testChain } from "../support/service.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { migrateAt } from "../support/template.ts";
import { startWire } from "../support/wire.ts";

export type CellName = "a" | "b";
/** What each of a cell's processes does. */
export const processRoles = ["api,follow", "deliver"] as const;
export type ProcessRoles = (typeof processRoles)[number];

export type Cell = {
  name: CellName;
  /** The same after a crash. */
  databaseUrl: string;
  pool: Pool;
  /** Of the API. */
  port: number;
  /** The node, as this cell sees it. */
  proxy: RpcProxy;
  createKey(account: string): Promise<string>;
  /** Starts the processes that do not run, and waits until they have started. */
  start(): Promise<void>;
  /** Ends processes by SIGKILL. */
  kill(which?: readonly ProcessRoles[]): Promise<void>;
  /** Kills PostgreSQL, and starts it again after something. */
  withoutDatabase(meanwhile: () => Promise<void>): Promise<void>;
  /** What no fault of others may cause: a process that ended by itself, and what it logged as fatal. */
  complaints(): string[];
  stop(): Promise<void>;
};

/** How both cells and the readers follow the chain. */
export const followed = (proxy: RpcProxy) => ({
  ...testChain({ rpcUrl: proxy.url }),
  finality: { confirmations: 16 },
  patienceMs: 2_000,
});

/** @param options.nodeUrl the chain's node @param options.blocks where the stream is */
export async function startCell(name: CellName, options: { nodeUrl: string; blocks: string }): Promise<Cell> {
  const [postgres, proxy, port] = await Promise.all([
    // It writes to disk at each commit, as in production: without that a crash may lose what was confirmed.
    startTemporaryPostgres({ durable: true }),
    startRpcProxy(options.nodeUrl),
    freePort(),
  ]);
  const wire = await startWire(postgres.url);
  await migrateAt(wire.url);
  const pool = createPool(wire.url, { onError: () => undefined });
  const running = new Map<ProcessRoles, ServiceProcess>();
  const complaints: string[] = [];

  async function startProcess(roles: ProcessRoles): Promise<void> {
    const env = { CELL: name, ROLES: roles, PORT: String(port), BLOCKS: options.blocks, TRUST_PROXY: "loopback" };
    const process = await startServiceProcess(wire.url, [followed(proxy)], { env });
    running.set(roles, process);
    void process.ended.then(({ code, signal }) => {
      for (const { level, msg, ...more } of process.logged)
        if (Number(level) >= 50) complaints.push(`${name} ${roles} logged: ${String(msg)} ${JSON.stringify(more)}`);
      if (running.get(roles) === process) complaints.push(`${name} ${roles} ended with ${code ?? signal}`);
    });
    await process.started;
  }

  async function kill(which: readonly ProcessRoles[] = processRoles): Promise<void> {
    const killed = which.flatMap((roles) => running.get(roles) ?? []);
    for (const roles of which) running.delete(roles);
    for (const process of killed) process.signal("SIGKILL");
    await Promise.all(killed.map(({ ended }) => ended));
  }

  return {
    ...{ name, databaseUrl: wire.url, pool, port, proxy, kill },
    createKey: async (account) => (await createKey(pool, { account, scopes: ["read", "write"] })).key,
    async start() {
      await Promise.all(processRoles.filter((roles) => !running.has(roles)).map(startProcess));
    },
    async withoutDatabase(meanwhile) {
      await postgres.crash(meanwhile);
      wire.leadTo(postgres.port);
    },
    complaints: () => complaints,
    async stop() {
      await kill();
      await pool.end();
      await wire.close();
      await Promise.all([postgres.stop(), proxy.close()]);
    },
  };
}
