/** Followers of a chain that is only known to the test: one for each kind of lane, which step when the test says so. */
import { pino } from "pino";
import { isServiceError } from "../../server/base/errors.ts";
import { type FollowedLanes, followedLanes, lanesByKey } from "../../server/chain/follow/lanes.ts";
import { leaveBlocks } from "../../server/chain/follow/leave.ts";
import { prepareSlice, recordStep, type StoredRecord } from "../../server/chain/follow/record.ts";
import { type ReadBlock, readBlock } from "../../server/chain/read/block.ts";
import type { BlockBundle } from "../../server/matching/wire.ts";
import type { ChainConfig } from "../../server/settings/chains.ts";
import { isRecorded, readCursor } from "../../server/store/chains/cursor.ts";
import type { Lane } from "../../server/store/chains/lanes.ts";
import { beginLeaving } from "../../server/store/chains/leaving.ts";
import type { Pool } from "../../server/store/pool.ts";
import type { WatchFilter } from "../../server/store/webhooks/watch-filter.ts";
import { type Block, bundleOf } from "./one-transaction.ts";

export const kinds = [
  "plain",
  "traces",
  "plain-catch-up",
  "traces-catch-up",
  "plain-history",
  "traces-history",
  "headers-history",
  "logs-history",
] as const;
export type Kind = (typeof kinds)[number];

const longestStep = 3;
const log = pino({ level: "silent" });

class Killed extends Error {}

/** A chain as it is now, from block 0 on. */
export type ChainView = { chainId: string; blocks: readonly Block[]; finalNumber: number };

export class LaneFollowers {
  private readonly pool: Pool;
  private readonly chain: ChainView;
  private readonly followers = new Map<Kind, FollowedLanes<StoredRecord>>();

  private readonly bundleOf: (block: Block, traced: boolean) => BlockBundle;

  /** @param bundle what each block has */
  constructor(pool: Pool, chain: ChainView, bundle = bundleOf) {
    this.bundleOf = bundle;
    this.pool = pool;
    this.chain = chain;
    for (const kind of kinds) this.restart(kind);
  }

  /** Another process takes the lease of a kind over. */
  restart(kind: Kind): void {
    const { chainId } = this.chain;
    const found = [...lanesByKey(chainId).values()].find(({ name }) => name === kind);
    if (!found) throw new Error(kind);
    const { signal } = new AbortController();
    this.followers.set(
      kind,
      followedLanes({ pool: this.pool, chain: { ...config, chainId }, kind: found, log, signal }),
    );
  }

  /**
   * Takes the next step of a kind of lane.
   *
   * @param killed whether its process is killed before the commit
   * @param meanwhile what is done between reading its blocks and recording them
   * @returns whether the lane moved
   */
  async step(kind: Kind, { killed = false, meanwhile = async () => {} } = {}): Promise<boolean> {
    const follower = this.followers.get(kind);
    const followed = await follower?.next();
    if (!followed) return false;
    follower?.taken?.();
    const { lane, filter: usual } = followed.record;
    if (lane.isLeaving) {
      // One transaction, of one retraction. The next step goes on from the tables.
      await meanwhile();
      if (!killed) await leaveBlocks(this.pool, lane, { atOnce: 1 }).next().catch(ifLate);
      return !killed;
    }
    const step = await this.stepOf(lane);
    if (lane.isApart && "retractAbove" in step) {
      const above = blockAt(this.chain.blocks, Number(step.retractAbove));
      await meanwhile();
      if (!killed) await beginLeaving(this.pool, lane, { cursor: step.cursor, above }).catch(ifLate);
      return !killed;
    }
    const { owedAfter: after, owedFrom: from } = await readCursor(this.pool, lane);
    const owed =
      after !== undefined && !("retractAbove" in step) ? { after, ...(from !== undefined && { from }) } : undefined;
    if (owed) step.blocks = [this.read(blockAt(this.chain.blocks, step.cursor.number), lane)];
    if (step.blocks.length === 0) {
      // It is at the head.
      await followed.record.release?.(Math.min(this.chain.finalNumber, step.cursor.number));
      return false;
    }
    const filter: WatchFilter = killed ? { ...usual, moved: () => fail() } : usual;
    // What is set apart takes one block in several steps, of one webhook each, matched before the lock is taken or under it.
    const place = { owed, size: 1, ...(step.cursor.number % 4 === 0 && (from ?? 0) < 2 && { upTo: (from ?? 0) + 1 }) };
    const [block] = step.blocks;
    const prepared =
      block && step.cursor.number % 3 > 0 ? await prepareSlice(this.pool, lane, block, place) : undefined;
    const slice = lane.isApart ? { slice: { ...place, prepared, mayMatch: true } } : {};
    await meanwhile();
    await recordStep(this.pool, lane, step, filter, slice).catch(ifLate);
    return !killed;
  }

  private read(block: Block, { traces }: Lane): ReadBlock {
    return readBlock(this.bundleOf(block, traces), this.chain.chainId);
  }

  private async stepOf(lane: Lane) {
    const { blocks: chain, finalNumber: finalised } = this.chain;
    const { cursor } = lane;
    if (!cursor) throw new Error("a lane without a cursor");
    let ancestor = Math.min(cursor.number, chain.length - 1);
    while (!(await isRecorded(this.pool, lane, blockAt(chain, ancestor)))) ancestor -= 1;
    const upTo = Math.min(ancestor + longestStep, lane.meetsAt ?? Number.POSITIVE_INFINITY);
    const blocks = chain.slice(ancestor + 1, (lane.isApart ? ancestor + 1 : Math.max(upTo, ancestor + 1)) + 1);
    const read = blocks.map((block) => this.read(block, lane));
    const finalNumber = Math.min(finalised, read.at(-1)?.number ?? 0);
    const left = ancestor < cursor.number && { retractAbove: ancestor };
    return { cursor, blocks: read, finalNumber, isFinal: true, ...left };
  }
}

export function blockAt(chain: readonly Block[], number: number): Block {
  const block = chain[number];
  if (!block) throw new Error(`no block ${number}`);
  return block;
}

function ifLate(error: unknown): void {
  if (!(error instanceof Killed) && !isServiceError(error, "cursor_moved")) throw error;
}

function fail(): never {
  throw new Killed();
}

const config: Omit<ChainConfig, "chainId"> = {
  // Nobody remembers for a while which lanes there are.
  ...{ name: "", rpcUrls: [], traces: true, pollMs: 0 },
  finality: { confirmations: 100 },
};
