/**
 * A real PostgreSQL server that needs no installation: npm installs its programs, and DATA_DIR has its files. It is used
 * when DATABASE_URL is not set. We do not use the package's own wrapper: after a kill -9 of Node its server keeps running, and it
 * can neither find that server nor start a second one.
 */
import { join } from "node:path";
import { findBinaries } from "./binaries.ts";
import { clusterFolder, openCluster } from "./cluster.ts";
import { openDataFolder } from "./data-folder.ts";
import { joinOrStart } from "./join-or-start.ts";
import { type StopMode, stopPostmaster } from "./postmaster.ts";

const database = "chain_webhooks";

export type { StopMode } from "./postmaster.ts";

/** Where the server's files are, and how durable they must be. */
export type EmbeddedPostgresOptions = {
  /** Created if missing. It contains `postgres/`, `postgres.log` and, if the installed programs cannot run in place, a copy of them. */
  dataDir: string;
  /** Whether a commit survives a power failure. Default true; false only for throw-away databases. */
  durable?: boolean;
  /** Called with the server's process id as soon as it exists, before it is ready. Not called for an adopted server. */
  onSpawn?: (pid: number) => void;
};

/** A running server. */
export type EmbeddedPostgres = {
  /** Connection string of the database `chain_webhooks`, password included. */
  url: string;
  /** On 127.0.0.1, a different one at each start. */
  port: number;
  /** Whether it was already running: a killed process left it, or another process uses it. */
  adopted: boolean;
  pid: number;
  /** Stops the server and waits until it is gone. If another of our processes uses the server, it only disconnects. */
  stop(mode?: StopMode): Promise<void>;
};

/**
 * Starts the server of a data folder, or adopts the running one. The server survives this process.
 *
 * @example
 * const postgres = await startEmbeddedPostgres({ dataDir: ".data" });
 * const pool = new Pool({ connectionString: postgres.url });
 * await pool.end();
 * await postgres.stop();
 *
 * @throws a sentence that says what to do: no programs for this platform, an unusable folder, a database of
 * another major version, or the output of a server that did not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { durable = true, onSpawn } = options;
  try {
    const { dataDir, account } = await openDataFolder(options.dataDir);
    const binaries = await findBinaries(dataDir, account);
    const password = await openCluster(binaries, { dataDir, account, durable });
    const folder = clusterFolder(dataDir);
    const how = { folder, logFile: join(dataDir, "postgres.log"), account, durable };
    const { pid, port, adopted, session } = await joinOrStart(binaries, how, { password, database, onSpawn });

    const stop = async (mode: StopMode) => {
      if (await session.leave()) await stopPostmaster(binaries, folder, pid, mode);
    };
    let stopping: Promise<void> | undefined;
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
      port,
      adopted,
      pid,
      stop: (mode = "fast") => (stopping ??= stop(mode)),
    };
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || !(["EACCES", "EPERM", "EROFS"].includes(code) || syscall === "mkdir")) throw error;
    throw new Error(
      `DATA_DIR (${options.dataDir}) cannot be used by this user: ${message}. ` +
        "Set DATA_DIR to a folder that this user owns, or set DATABASE_URL.",
      { cause: error },
    );
  }
}
