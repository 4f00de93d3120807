/**
 * A real PostgreSQL server that needs no installation: npm installs its programs, and DATA_DIR has its files. It is used
 * when DATABASE_URL is not set. We do not use the package's own wrapper: after a kill -9 of Node its server keeps running, and it
 * can neither find that server nor start a second one.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findBinaries } from "./binaries.ts";
import { clusterFolder, openCluster, openDataFolder } from "./cluster.ts";
import { joinOrStart } from "./join-or-start.ts";
import { readPostmaster, type StopMode, stopPostmaster } from "./postmaster.ts";

const database = "chain_webhooks";
/** A server that lived this long did not die of how it was started. */
const steadyMs = 60_000;
const retryMs = 2_000;
const lookMs = 5_000;

export type { StopMode } from "./postmaster.ts";

/** Where the server's files are, and how durable they must be. */
export type EmbeddedPostgresOptions = {
  /** Created if missing. It contains `postgres/`, `postgres.log` and, if the installed programs cannot run in place, a copy of them. */
  dataDir: string;
  /** Whether a commit survives a power failure. Default true; false only for throw-away databases. */
  durable?: boolean;
  /** Called with the server's process id as soon as it exists, before it is ready. Not called for an adopted server. */
  onSpawn?: (pid: number) => void;
  /** Starts the server again when it dies, at the same port. */
  watch?: ServerWatch;
};

/** Who learns of a server that died. */
export type ServerWatch = {
  /** It runs again. */
  onRestart(pid: number): void;
  /** It is not tried any more. Called at most once. */
  onLost(error: Error): void;
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
    const joining = { password, database, onSpawn };
    const first = await joinOrStart(binaries, how, joining);
    const { pid, port, adopted } = first;
    let current = first;
    let stopping: Promise<void> | undefined;

    let restarting = Promise.resolve();
    async function keepRunning(watch: ServerWatch): Promise<void> {
      const looking = setInterval(() => void endSmartShutdown(), lookMs).unref();
      try {
        for (let isNew = false; ; isNew = true) {
          const since = performance.now();
          await current.session.ended;
          if (stopping) return;
          if (isNew && performance.now() - since < steadyMs)
            throw new Error(`The embedded PostgreSQL died twice within a minute. See ${how.logFile}.`);
          restarting = startAgain().then((joined) => {
            current = joined;
          });
          await restarting;
          if (stopping) return;
          watch.onRestart(current.pid);
        }
      } catch (error) {
        if (!stopping) watch.onLost(error as Error);
      } finally {
        clearInterval(looking);
      }
    }

    async function startAgain(): Promise<typeof first> {
      const again = { ...how, port };
      // What ended it may need a moment to pass.
      const joined = await joinOrStart(binaries, again, joining).catch(async () => {
        await sleep(retryMs);
        return joinOrStart(binaries, again, joining);
      });
      if (joined.port === port) return joined;
      await joined.session.leave();
      throw new Error(`The embedded PostgreSQL died, and another process started it again at port ${joined.port}.`);
    }

    /** After SIGTERM the server waits until its clients leave, and lets none in. None of our processes sends that. */
    async function endSmartShutdown(): Promise<void> {
      const found = await readPostmaster(folder);
      if (stopping || found?.pid !== current.pid || !found.isStopping) return;
      await stopPostmaster(binaries, folder, found.pid, "fast").catch(() => undefined);
    }

    const stop = async (mode: StopMode) => {
      const before = current;
      let isLast = await before.session.leave();
      // It may be starting again.
      await restarting.catch(() => undefined);
      if (current !== before) isLast = await current.session.leave();
      if (isLast) await stopPostmaster(binaries, folder, current.pid, mode);
    };
    if (options.watch) void keepRunning(options.watch);
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
