/** Connects to the server that runs on a folder of database files, or starts one. */
import { setTimeout as sleep } from "node:timers/promises";
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
import { joinServer, type Session } from "./session.ts";

/** Recovery after a crash replays at most a few gigabytes. If it takes longer, something else is wrong. */
const startPatienceMs = 5 * 60_000;

/** How to connect, and who receives the process id of a started server. */
export type JoinOptions = { password: string; database: string; onSpawn: ((pid: number) => void) | undefined };

/** A server that answers, and our session on it. */
export type Joined = Postmaster & { adopted: boolean; session: Session };

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
