/**
 * Which kinds of lanes each chain has. Most chains have one kind, and the followers of the three others wait for a lane to appear. The
 * followers of a process share one query. Separate queries were half of what an idle process sends to the database.
 */
import type { Pool } from "../pool.ts";
import type { LaneKind } from "./lanes.ts";

type Look = { atMs: number; kinds: Promise<ReadonlySet<string>> };

const looks = new WeakMap<Pool, Look>();

/** @param freshMs the maximum age of the answer @returns whether the chain has a lane of this kind */
export async function hasLane(pool: Pool, chainId: string, kind: LaneKind, freshMs: number): Promise<boolean> {
  const now = performance.now();
  let look = looks.get(pool);
  if (!look || now - look.atMs > freshMs) {
    look = { atMs: now, kinds: readKinds(pool) };
    looks.set(pool, look);
  }
  const { kinds } = look;
  return kinds.then(
    (found) => found.has(keyOf(chainId, kind)),
    (error: unknown) => {
      // Do not share a failure.
      if (looks.get(pool)?.kinds === kinds) looks.delete(pool);
      throw error;
    },
  );
}

const keyOf = (chainId: string, { traces, behind }: LaneKind) => `${chainId} ${traces} ${behind}`;

async function readKinds(pool: Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<LaneKind & { chainId: string }>({
    name: "lane-kinds",
    text: `SELECT DISTINCT chain_id AS "chainId", traces, behind FROM chain_lanes`,
  });
  return new Set(rows.map(({ chainId, ...kind }) => keyOf(chainId, kind)));
}
