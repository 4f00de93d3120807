/**
 * Lanes without nodes: a chain that is only known to the test, followers that step when the test says so, and webhooks
 * that change what they want. What is recorded is held against the chain as it is in the end.
 */
import { expect } from "vitest";
import { isServiceError } from "../../server/base/errors.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { beginAt, ensureChain } from "../../server/store/chains/cursor.ts";
import {
  type HistoryMode,
  type HistoryStart,
  type LaneKind,
  newestBlock,
  setApart,
} from "../../server/store/chains/lanes.ts";
import { inTransaction, type Pool } from "../../server/store/pool.ts";
import { deleteWebhook, updateWebhook } from "../../server/store/webhooks/changes.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import type { Webhook, WebhookChange } from "../../server/store/webhooks/webhooks.ts";
import type { Finality } from "./finalities.ts";
import { blockAt, type Kind, kinds, LaneFollowers } from "./lane-followers.ts";
import { assertNotified, assertVariants, countsOf } from "./lanes-exact.ts";
import { MadeChain } from "./made-chain.ts";
import { watched } from "./one-transaction.ts";

export class LanesWorld {
  private webhooks: Webhook[] = [];
  /** Those that were inactive for a while. */
  private readonly paused = new Set<string>();
  private readonly pool: Pool;
  private readonly chainId: string;
  private readonly chain: MadeChain;
  private readonly followers: LaneFollowers;

  private constructor(pool: Pool, chainId: string, followersPool: Pool) {
    this.pool = pool;
    this.chainId = chainId;
    this.chain = new MadeChain(chainId);
    this.followers = new LaneFollowers(followersPool, this.chain);
  }

  /** @param followersPool for followers with a way to the database of their own */
  static async start(pool: Pool, chainId: string, followersPool = pool): Promise<LanesWorld> {
    await ensureChain(pool, chainId);
    const world = new LanesWorld(pool, chainId, followersPool);
    world.mine(2);
    await beginAt(pool, { chainId, lane: 0 }, blockAt(world.chain.blocks, 1));
    return world;
  }

  mine(count: number): void {
    this.chain.mine(count);
  }

  /** Replaces the newest blocks by one more. */
  reorganise(depth: number): void {
    this.chain.reorganise(depth);
  }

  /** All but the newest blocks can be replaced no more. */
  finalise(left: number): void {
    this.chain.finalise(left);
  }

  async create({ finality, ...wanted }: { includeInternalTxs: boolean; finality?: Finality }): Promise<void> {
    await this.createFrom(undefined, { finality, ...wanted });
  }

  /** The nodes are on the chain as it is now, whatever of it is recorded. @param back how far before the newest recorded block it starts */
  async createInThePast(
    back: number,
    {
      mode,
      ...wanted
    }: { includeInternalTxs: boolean; finality?: Finality | undefined; mode?: HistoryMode | undefined },
  ): Promise<void> {
    const newest = Math.min((await newestBlock(this.pool, this.chainId)) ?? 0, this.chain.blocks.length - 1);
    const from = Math.max(1, newest - back);
    const { number, hash } = blockAt(this.chain.blocks, from - 1);
    await this.createFrom({ from, cursor: { number, hash }, mode }, wanted);
  }

  /** How many lanes begin in the past and have not caught up. */
  async histories(): Promise<number> {
    const { rows } = await this.pool.query<{ lanes: number }>(
      "SELECT count(*)::int AS lanes FROM chain_lanes WHERE chain_id = $1 AND catches_up AND history_from IS NOT NULL",
      [this.chainId],
    );
    return rows[0]?.lanes ?? 0;
  }

  private async createFrom(
    history: (HistoryStart & { mode: HistoryMode | undefined }) | undefined,
    { finality, ...wanted }: { includeInternalTxs: boolean; finality?: Finality | undefined },
  ): Promise<void> {
    const options = finality && { options: { finality } };
    const whole = { ...plainWebhook, chainId: this.chainId, addresses: [watched], ...wanted, ...options, history };
    const created = await inTransaction(this.pool, (db) => createWebhook(db, 1, whole, noKeys)).catch((error) => {
      if (!isServiceError(error, "too_many_histories")) throw error;
    });
    if (created) this.webhooks.push(created);
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

  /** The account's webhooks in one of the lanes cost too much among others. */
  async setApart(which: number): Promise<void> {
    const { rows } = await this.pool.query<LaneKind & { lane: number; number: number; hash: string }>(
      `SELECT lane, traces, catches_up AS "catchesUp", cursor_number AS number, '0x' || encode(cursor_hash, 'hex') AS hash FROM chain_lanes
       WHERE chain_id = $1 AND apart_account IS NULL AND cursor_number IS NOT NULL ORDER BY lane`,
      [this.chainId],
    );
    const found = rows[which % rows.length];
    if (!found) return;
    const { number, hash, ...lane } = found;
    await setApart(this.pool, { chainId: this.chainId, ...lane }, { accountIds: [1], cursor: { number, hash } });
  }

  /** Slices of one webhook never make a lane calm, so they come back here, between blocks. */
  private async joinApart(): Promise<void> {
    await this.pool.query(
      "UPDATE chain_lanes SET apart_account = NULL, apart_until = NULL WHERE chain_id = $1 AND owed_after IS NULL",
      [this.chainId],
    );
  }

  /** They may come back. */
  async calmDown(): Promise<void> {
    const { chainId } = this;
    await this.pool.query("UPDATE chain_lanes SET apart_until = 0 WHERE chain_id = $1 AND apart_account IS NOT NULL", [
      chainId,
    ]);
  }

  /** Another process takes the lease of a kind over. */
  restart(kind: Kind): void {
    this.followers.restart(kind);
  }

  /** Takes the next step of a kind of lane, see `LaneFollowers`. @returns whether the lane moved */
  async step(kind: Kind, { killed = false, meanwhile = async () => {} } = {}): Promise<boolean> {
    const counts = new Map<string, number>();
    const moved = await this.followers.step(kind, {
      killed,
      meanwhile: async () => {
        await meanwhile();
        for (const [id, count] of await countsOf(this.pool, this.chainId)) counts.set(id, count);
      },
    });
    if (counts.size > 0) await assertVariants(this.pool, this.chainId, counts);
    return moved;
  }

  /** Follows everything to the end. */
  async finish(): Promise<void> {
    for (let rounds = 0; ; rounds += 1) {
      expect(rounds).toBeLessThan(2_000);
      await this.joinApart();
      let moved = 0;
      for (const kind of kinds) moved += (await this.step(kind)) ? 1 : 0;
      const { rows } = await this.pool.query<{ open: number }>(
        `SELECT (SELECT count(*) FROM chain_lanes WHERE chain_id = $1 AND (catches_up OR cursor_number < $2))
           + (SELECT count(*) FROM webhooks w JOIN chain_lanes l USING (chain_id, lane)
              WHERE chain_id = $1 AND l.traces <> (include_internal_txs AND status = 'active')) AS open`,
        [this.chainId, this.chain.blocks.length - 1],
      );
      if (moved === 0 && rows[0]?.open === 0) return;
    }
  }

  /** Each webhook stands notified of what it must be. */
  async assertExact(): Promise<void> {
    for (const { id } of this.webhooks)
      await assertNotified(this.pool, this.chain.blocks, {
        ...{ id, final: this.chain.finalNumber, wasPaused: this.paused.has(id) },
      });
  }
}

const plainWebhook = {
  url: "https://example.com/hook",
  eventType: "address_activity" as const,
  name: "",
  description: "",
  includeLogs: false,
  eventSignatures: [],
};
