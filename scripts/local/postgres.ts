/**
 * A throw-away PostgreSQL server for demos and tests, the same programs that a service without DATABASE_URL runs.
 */
import { rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { startEmbeddedPostgres } from "../../server/embedded-postgres/index.ts";
import { inMemory, type Janitor, sharedJanitor } from "./janitor.ts";

/** How the server is run. */
export type TemporaryPostgresOptions = {
  /** Whether it writes to disk at each commit, as in production. Default false: its files are in memory where there is room. */
  durable?: boolean;
  /** Who cleans up if we are killed. Default: this process's own. */
  janitor?: Janitor;
};

/** A running server, empty but for the database `chain_webhooks`. */
export type TemporaryPostgres = {
  /** Connection string, as superuser. */
  url: string;
  port: number;
  pid: number;
  /**
   * Kills the server by SIGKILL, as the kernel does when memory is short, and starts it again; `url`, `port` and `pid` change.
   *
   * @param whileDown is waited for in between
   */
  crash(whileDown?: () => Promise<void>): Promise<void>;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
};

/**
 * Starts a server whose files vanish with it.
 *
 * @example
 * const postgres = await startTemporaryPostgres();
 * const pool = new Pool({ connectionString: postgres.url });
 * await pool.end();
 * await postgres.stop();
 */
export async function startTemporaryPostgres(options: TemporaryPostgresOptions = {}): Promise<TemporaryPostgres> {
  const { durable = false, janitor = await sharedJanitor() } = options;
  const parent = durable ? tmpdir() : await fastFolder();
  const dataDir = janitor.makeFolder("chain-webhooks-postgres-", parent);
  const remove = async () => {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    janitor.forgetFolder(dataDir);
  };
  try {
    const onSpawn = (pid: number) => janitor.watchProcess(pid, "SIGQUIT");
    let server = await startEmbeddedPostgres({ dataDir, durable, onSpawn });
    const end = async () => {
      await server.stop("immediate");
      janitor.forgetProcess(server.pid);
    };
    const postgres: TemporaryPostgres = {
      url: server.url,
      port: server.port,
      pid: server.pid,
      async crash(whileDown) {
        process.kill(server.pid, "SIGKILL");
        await end();
        await whileDown?.();
        server = await startEmbeddedPostgres({ dataDir, durable, onSpawn });
        Object.assign(postgres, { url: server.url, port: server.port, pid: server.pid });
      },
      async stop() {
        await end();
        await remove();
      },
    };
    return postgres;
  } catch (error) {
    await remove();
    throw error;
  }
}

const neededBytes = 4 * 1024 ** 3;

/** Where files cost least. On a disk, copying the template of the tests' databases takes 230 ms of processor, in memory 13. */
async function fastFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= neededBytes ? inMemory : tmpdir();
}
