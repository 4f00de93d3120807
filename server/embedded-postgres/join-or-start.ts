/** Connects to the server that runs on a folder of database files, or starts one. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Binaries } from "./binaries.ts";
import {
  forgetPostmaster,
  isPostmasterOf,
  type Postmaster,
  type PostmasterOptions,
  readPostmaster,
  type StartedPostmaster,
  startPostmaster,
} from "./postmaster.ts";

/** Recovery after a crash replays at most a few gigabytes. If it takes longer, something else is wrong. */
const startPatienceMs = 5 * 60_000;

/** How to connect, and who receives the process id of a started server. */
type JoinOptions = { password: string; database: string; onSpawn: ((pid: number) => void) | undefined };

/** A server that answers, and our session on it. */
type Joined = Postmaster & { adopted: boolean; session: Session };

/**
 * Several processes may call this at the same time for one folder: one of their servers wins, and all of them join it.
 *
 * @throws the server's output, if it does not become ready; a server that we started is then killed
 */
export async function joinOrStart(binaries: Binaries, how: PostmasterOptions, options: JoinOptions): Promise<Joined> {
  let started: StartedPostmaster | undefined;
  let starts = 0;
  try {
    for (const deadline = Date.now() + startPatienceMs; Date.now() < deadline; await sleep(20)) {
      const joined = await join(how.folder, options);
      if (joined) return { ...joined, adopted: joined.pid !== started?.process.pid };
      if (await isStarting(how.folder, started)) continue;
      // A port that we insist on may be another program's by now, and stay so.
      if (started) await assertWorthRetrying(started, how.logFile, how.port !== undefined && starts > 1);
      starts += 1;
      started = await startPostmaster(binaries, how);
      if (started.process.pid !== undefined) options.onSpawn?.(started.process.pid);
    }
    throw new Error(`The embedded PostgreSQL did not become ready within 5 minutes. See ${how.logFile}.`);
  } catch (error) {
    if (started && !started.ended()) started.process.kill("SIGQUIT");
    throw error;
  }
}

async function join(folder: string, { password, database }: JoinOptions): Promise<Omit<Joined, "adopted"> | undefined> {
  const found = await readPostmaster(folder);
  if (!found) return undefined;
  try {
    return { ...found, session: await joinServer(found.port, password, database) };
  } catch (error) {
    if (await isPostmasterOf(found.pid, folder)) assertPassing(error as Error, found.pid, folder);
    else await forgetPostmaster(folder, found.pid);
    return undefined;
  }
}

/** Whether to wait: for the server that we started, or for a running one that does not answer now. */
async function isStarting(folder: string, started: StartedPostmaster | undefined): Promise<boolean> {
  if (started && !started.ended()) return true;
  const found = await readPostmaster(folder);
  return found !== undefined && isPostmasterOf(found.pid, folder);
}

async function assertWorthRetrying(ended: StartedPostmaster, logFile: string, isPortTaken: boolean): Promise<void> {
  const output = (await ended.lastWords()).trim();
  const hasNoPort = /could not create any TCP\/IP sockets/.test(output);
  // A server that is shutting down, children of a killed one, or a port that another program took meanwhile.
  if (/lock file ".*" already exists|still in use/.test(output) || (hasNoPort && !isPortTaken)) return sleep(100);
  throw new Error(`The embedded PostgreSQL did not start. See ${logFile}. ${output.slice(-1_000)}`);
}

/** Starting, recovering, shutting down and being full are temporary. A refused password or a full disk is not. */
function assertPassing(error: Error & { code?: string }, pid: number, folder: string): void {
  if (error.code === undefined || /^(E[A-Z]+|57P0\d|53300)$/.test(error.code)) return;
  throw new Error(
    `The PostgreSQL server that runs in ${folder} (process ${pid}) reports: ${error.message}. ` +
      "Stop it and start again, or set DATABASE_URL.",
    { cause: error },
  );
}

/** An arbitrary pair of numbers, since advisory locks have no names. */
const lockKey = "77, 101";

/** Our claim on a running server. */
type Session = {
  /** Resolves when the connection has ended: by `leave`, or because the server, or what served us in it, has died. */
  ended: Promise<void>;
  /** Ends the claim. @returns whether no other process has one; the server then accepts no new ones and can be stopped */
  leave(): Promise<boolean>;
};

/**
 * Each of our processes keeps a connection to the embedded server while using it. It holds a shared lock there, so that a process that ends
 * can see whether another one still needs the server. If a process is killed, its lock vanishes. Claims a server and creates the database
 * unless it exists. @throws the server's or the network's error
 */
async function joinServer(port: number, password: string, database: string): Promise<Session> {
  const place = { host: "127.0.0.1", port, user: "postgres", password, database: "postgres", ssl: false };
  const client = new Client({
    ...place,
    application_name: "chain-webhooks embedded",
    connectionTimeoutMillis: 5_000,
    statement_timeout: 60_000,
    query_timeout: 70_000,
  });
  client.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  try {
    await client.connect();
    if (!(await ask(client, `pg_try_advisory_lock_shared(${lockKey})`)))
      throw new Error("The server is shutting down.");
    await ensureDatabase(client, database);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  // It must not keep the process alive, except while it leaves and waits for the answer. The types lack both methods.
  const socket = client as Client & { ref(): void; unref(): void };
  socket.unref();
  return {
    ended,
    leave: () => {
      socket.ref();
      return leave(client);
    },
  };
}

async function ensureDatabase(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
  if (rowCount) return;
  await client.query(`create database ${client.escapeIdentifier(name)}`).catch((error: { code?: string }) => {
    // Another process that started at the same moment was first (duplicate_database, unique_violation).
    if (error.code !== "42P04" && error.code !== "23505") throw error;
  });
}

async function leave(client: Client): Promise<boolean> {
  try {
    await client.query(`select pg_advisory_unlock_shared(${lockKey})`);
    // Held until the server is down and this connection with it.
    if (await ask(client, `pg_try_advisory_lock(${lockKey})`)) return true;
    await client.end();
    return false;
  } catch {
    return true;
  }
}

async function ask(client: Client, call: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(`select ${call} as answer`);
  return rows[0]?.answer === true;
}
