/** Looks at backlog, memory and file handles every two seconds. */
import { readdirSync, readFileSync } from "node:fs";
import type { Pool } from "../../server/store/pool.ts";

const everyMs = 2_000;

export type Sample = {
  /** Seconds since the beginning. */
  at: number;
  /** Notifications that wait for their first attempt. */
  waiting: number;
  /** Notifications that wait for another attempt. */
  retrying: number;
  /** By the process's name. */
  memoryMb: Record<string, number>;
  handles: Record<string, number>;
};

/** Starts to look. @param pids by the process's name @returns what ends it and gives what was seen */
export function startSampling(
  pool: Pool,
  pids: Readonly<Record<string, number>>,
  alsoThen: () => void,
): () => Promise<Sample[]> {
  const samples: Sample[] = [];
  const began = performance.now();
  const look = async () => {
    alsoThen();
    const { rows } = await pool.query<{ waiting: number; retrying: number }>(
      `SELECT (SELECT count(*) FROM notifications n LEFT JOIN delivery_cursors c USING (shard)
          WHERE n.position > COALESCE(c.position, 0))::int AS waiting,
        (SELECT count(*) FROM retries)::int AS retrying`,
    );
    const [counted] = rows;
    if (!counted) return;
    const of = (read: (pid: number) => number) =>
      Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, read(pid)]));
    samples.push({ at: (performance.now() - began) / 1_000, ...counted, memoryMb: of(memoryMb), handles: of(handles) });
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look, look);
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
    return samples;
  };
}

/** 0 where the system has no /proc. */
function memoryMb(pid: number): number {
  return orZero(() => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024);
}

function handles(pid: number): number {
  return orZero(() => readdirSync(`/proc/${pid}/fd`).length);
}

function orZero(read: () => number): number {
  try {
    return read();
  } catch {
    return 0;
  }
}
