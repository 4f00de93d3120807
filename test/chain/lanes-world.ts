/**
 * Lanes without nodes: a chain that is only known to the test, followers that step when the test says so, and webhooks
 * that change what they want. What is recorded is held against the chain as it is in the end.
 */
import { createHash } from "node:crypto";
import { pino } from "pino";
import { expect } from "vitest";
import type { ChainConfig } from "../../server/chain/config.ts";
import { type FollowedLanes, followedLanes, lanesByKey } from "../../server/chain/follow/lanes.ts";
import { recordStep, type StoredRecord } from "../../server/chain/follow/record.ts";
import { readBlock } from "../../server/chain/read/block.ts";
import { isServiceError } from "../../server/errors.ts";
import type { Hex } from "../../server/matching/wire.ts";
import { beginAt, ensureChain, isRecorded } from "../../server/store/chains/cursor.ts";
import type { Lane } from "../../server/store/chains/lanes.ts";
import { inTransaction, type Pool } from "../../server/store/pool.ts";
import { deleteWebhook, updateWebhook } from "../../server/store/webhooks/changes.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { noKeys } from "../../server/store/webhooks/keyring.ts";
import type { Webhook, WebhookChange } from "../../server/store/webhooks/record.ts";
import type { WatchFilter } from "../../server/store/webhooks/watch-filter.ts";
import { assertNotified, assertVariants, countsOf } from "./lanes-exact.ts";
import { type Block, bundleOf, watched } from "./one-transaction.ts";

const kinds = ["plain", "traces", "plain-behind", "traces-behind"] as const;
export type Kind = (typeof kinds)[number];

const longestStep = 3;
const log = pino({ level: "silent" });

class Killed extends Error {}

export class LanesWorld {
  private webhooks: Webhook[] = [];
  /** Those that were inactive for a while. */
  private readonly paused = new Set<string>();
  private finalNumber = 1;
  private readonly pool: Pool;
  private readonly chainId: string;
  private readonly chain: Block[] = [];
  private readonly followers = new Map<Kind, FollowedLanes<StoredRecord>>();
  private made = 0;

  private constructor(pool: Pool, chainId: string) {
    this.pool = pool;
    this.chainId = chainId;
    for (const kind of kinds) this.restart(kind);
  }

  static async start(pool: Pool, chainId: string): Promise<LanesWorld> {
    await ensureChain(pool, chainId);
    const world = new LanesWorld(pool, chainId);
    world.mine(2);
    await beginAt(pool, { chainId, lane: 0 }, world.blockAt(1));
    return world;
  }

  mine(count: number): void {
    for (let block = 0; block < count; block += 1) {
      this.made += 1;
      const hash: Hex = `0x${createHash("sha256").update(`${this.chainId} ${this.made}`).digest("hex")}`;
      const parent = this.chain.at(-1);
      this.chain.push({ number: this.chain.length, hash, parentHash: parent?.hash ?? `0x${"0".repeat(64)}` });
    }
  }

  /** Replaces the newest blocks by one more. */
  reorganise(depth: number): void {
    const gone = Math.min(depth, this.chain.length - 1 - this.finalNumber);
    this.chain.length -= gone;
    this.mine(gone + 1);
  }

  /** All but the newest blocks can be replaced no more. */
  finalise(left: number): void {
    this.finalNumber = Math.max(this.finalNumber, this.chain.length - 1 - left);
  }

  async create(wanted: { includeInternalTxs: boolean }): Promise<void> {
    const whole = { ...plainWebhook, chainId: this.chainId, addresses: [watched], ...wanted };
    this.webhooks.push(await inTransaction(this.pool, (db) => createWebhook(db, 1, whole, noKeys)));
  }

  async change(webhook: number, change: WebhookChange): Promise<void> {
    const { id } = this.webhooks[webhook % this.webhooks.length] ?? {};
    if (id === undefined) return;
    if (change.status) this.paused.add(id);
    await inTransaction(this.pool, (db) => updateWebhook(db, 1, id, change)).catch((error) => {
      if (!isServiceError(error, "too_many_lanes")) throw error;
    });
  }

  async delete(webhook: number): Promise<void> {
    const { id } = this.webhooks[webhook % this.webhooks.length] ?? {};
    if (id === undefined) return;
    this.webhooks = this.webhooks.filter((other) => other.id !== id);
    await inTransaction(this.pool, (db) => deleteWebhook(db, 1, id));
  }

  /** Another process takes the lease of a kind over. */
  restart(kind: Kind): void {
    const found = [...lanesByKey(this.chainId).values()].find(({ name }) => name === kind);
    if (!found) throw new Error(kind);
    const chain: ChainConfig = { ...config, chainId: this.chainId };
    const { signal } = new AbortController();
    this.followers.set(kind, followedLanes({ pool: this.pool, chain, kind: found, log, signal }));
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
    follower?.taken();
    const { lane, filter: usual } = followed.record;
    const step = await this.stepOf(lane);
    if (step.blocks.length === 0) return false;
    const filter: WatchFilter = killed ? { ...usual, moved: () => fail() } : usual;
    await meanwhile();
    const counts = await countsOf(this.pool, this.chainId);
    await recordStep(this.pool, lane, step, filter).catch((error) => {
      if (!(error instanceof Killed)) throw error;
    });
    await assertVariants(this.pool, this.chainId, counts);
    return !killed;
  }

  private async stepOf(lane: Lane) {
    const { cursor } = lane;
    if (!cursor) throw new Error("a lane without a cursor");
    let ancestor = Math.min(cursor.number, this.chain.length - 1);
    while (!(await isRecorded(this.pool, lane, this.blockAt(ancestor)))) ancestor -= 1;
    const upTo = Math.min(ancestor + longestStep, lane.meetsAt ?? Number.POSITIVE_INFINITY);
    const blocks = this.chain.slice(ancestor + 1, Math.max(upTo, ancestor + 1) + 1);
    const read = blocks.map((block) => readBlock(bundleOf(block, lane.traces), this.chainId));
    const finalNumber = Math.min(this.finalNumber, read.at(-1)?.number ?? 0);
    return { cursor, blocks: read, finalNumber, ...(ancestor < cursor.number && { retractAbove: ancestor }) };
  }

  /** Follows everything to the end. */
  async finish(): Promise<void> {
    for (let rounds = 0; ; rounds += 1) {
      expect(rounds).toBeLessThan(500);
      let moved = 0;
      for (const kind of kinds) moved += (await this.step(kind)) ? 1 : 0;
      const { rows } = await this.pool.query<{ open: number }>(
        `SELECT (SELECT count(*) FROM chain_lanes WHERE chain_id = $1 AND (behind OR cursor_number < $2))
           + (SELECT count(*) FROM webhooks w JOIN chain_lanes l USING (chain_id, lane)
              WHERE chain_id = $1 AND l.traces <> (include_internal_txs AND status = 'active')) AS open`,
        [this.chainId, this.chain.length - 1],
      );
      if (moved === 0 && rows[0]?.open === 0) return;
    }
  }

  /** Each webhook stands notified of what it must be. */
  async assertExact(): Promise<void> {
    for (const { id } of this.webhooks)
      await assertNotified(this.pool, this.chain, { id, wasPaused: this.paused.has(id) });
  }

  private blockAt(number: number): Block {
    const block = this.chain[number];
    if (!block) throw new Error(`no block ${number}`);
    return block;
  }
}

function fail(): never {
  throw new Killed();
}

const config = { name: "", rpcUrls: [], traces: true, finality: { confirmations: 100 }, pollMs: 10 };

const plainWebhook = {
  url: "https://example.com/hook",
  eventType: "address_activity" as const,
  name: "",
  description: "",
  includeLogs: false,
  eventSignatures: [],
};
