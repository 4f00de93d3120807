/** Two processes that record one chain in turn, each with a filter of its own, and accounts that change what is watched on it. */

import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { expect } from "vitest";
import { noKeys } from "../../server/settings/keyring.ts";
import {
  advanceCursor,
  beginAt,
  ensureChain,
  plainLane,
  readCursor,
  takeBlocksAbove,
} from "../../server/store/chains/cursor.ts";
import { lockChainExclusively } from "../../server/store/chains/lock.ts";
import { inTransaction, type Pool, together } from "../../server/store/pool.ts";
import { addAddresses, forgetAdditions, removeAddresses } from "../../server/store/webhooks/addresses.ts";
import { deleteWebhook, updateWebhook } from "../../server/store/webhooks/changes.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { createWatchFilter, type WatchFilter } from "../../server/store/webhooks/watch-filter.ts";
import { findWatchers, type Watched } from "../../server/store/webhooks/watchers.ts";
import { addressCount, type Event } from "./filter-events.ts";

const addressOf = (n: number) => `0x${(n + 1).toString(16).padStart(40, "0")}`;
const every = Array.from({ length: addressCount }, (_, index) => addressOf(index));
const hashOf = () => `0x${randomBytes(32).toString("hex")}`;

class Undone extends Error {}

export class FilterWorld {
  /** How many questions were put to a filter that was in use. */
  filtered = 0;
  /** How many of them had been answered before the cursor was known. */
  guessed = 0;
  private readonly webhooks = new Map<number, string>();
  private readonly filters: WatchFilter[];
  private readonly pool: Pool;
  private readonly chainId: string;

  private constructor(pool: Pool, chainId: string) {
    this.pool = pool;
    this.chainId = chainId;
    this.filters = [this.filter(), this.filter()];
  }

  static async start(pool: Pool, chainId: string): Promise<FilterWorld> {
    await ensureChain(pool, chainId);
    await beginAt(pool, plainLane(chainId), { number: 100, hash: hashOf() });
    return new FilterWorld(pool, chainId);
  }

  private filter(): WatchFilter {
    const log = pino({ level: "silent" });
    return createWatchFilter({
      pool: this.pool,
      lane: plainLane(this.chainId),
      log,
      signal: new AbortController().signal,
    });
  }

  async happen(event: Event): Promise<void> {
    switch (event.do) {
      case "record":
        return this.record(event.process);
      case "reorganize":
        return this.record(event.process, { depth: event.depth });
      case "fail":
        return this.record(event.process, { fails: "before" });
      case "failToCommit":
        return this.record(event.process, { fails: "after" });
      case "recordWithout":
        return this.record(undefined);
      case "restart":
        this.filters[event.process] = this.filter();
        return;
      case "untilInUse":
        while (!this.filters[event.process]?.state().inUse) await this.record(event.process);
        return;
      case "backUp":
      case "restore":
        return this[event.do]();
      case "maintain":
        return forgetAdditions(this.pool);
      default:
        return this.change(event);
    }
  }

  private async change(event: Extract<Event, { webhook: number }>): Promise<void> {
    const { pool, chainId } = this;
    const id = this.webhooks.get(event.webhook);
    if (event.do === "create") {
      const addresses = event.addresses.map(addressOf);
      const made = await inTransaction(pool, (db) =>
        createWebhook(db, 1, { ...plainWebhook, chainId, addresses }, noKeys),
      );
      this.webhooks.set(event.webhook, made.id);
    } else if (id !== undefined) {
      if (event.do === "delete") this.webhooks.delete(event.webhook);
      const changed = inTransaction(pool, async (db) => {
        if (event.do === "add") await addAddresses(db, 1, id, event.addresses.map(addressOf));
        else if (event.do === "remove") await removeAddresses(db, 1, id, event.addresses.map(addressOf));
        else if (event.do === "delete") await deleteWebhook(db, 1, id);
        else await updateWebhook(db, 1, id, { status: event.do === "pause" ? "inactive" : "active" });
      });
      // It may have been deleted at the same time, or in what was restored.
      await changed.catch((error: { code?: string }) => {
        if (error.code !== "webhook_not_found") throw error;
      });
    }
  }

  /** Records blocks as the follower does, and holds what the filter lets through against the tables. */
  private async record(
    process: number | undefined,
    { depth = 0, fails }: { depth?: number; fails?: "before" | "after" } = {},
  ): Promise<void> {
    const { pool, chainId } = this;
    const recording = inTransaction(pool, async (db) => {
      await lockChainExclusively(db, chainId);
      const filter = process === undefined ? undefined : this.filters[process];
      const [recorded, guess] = await together([readCursor(db, plainLane(chainId)), filter?.guess(db, every)]);
      const { rows } = await db.query("SELECT min(number) AS oldest FROM chain_blocks WHERE chain_id = $1", [chainId]);
      const from = Math.max(rows[0].oldest, (recorded.cursor?.number ?? 0) - depth) + 1;
      if (filter) {
        const found = await filter.findWatchers(db, recorded, every, { guess });
        if (filter.state().inUse) this.filtered += 1;
        if (guess && found === guess.watched) this.guessed += 1;
        const expected = await findWatchers(db, plainLane(chainId), every);
        for (const block of [from, from + depth]) expect(plain(found, block)).toEqual(plain(expected, block));
      }
      if (fails === "before") throw new Undone();
      if (depth > 0) await takeBlocksAbove(db, plainLane(chainId), from - 1);
      const mark = await advanceCursor(db, plainLane(chainId), {
        blocks: [{ number: from, hash: hashOf() }],
        finalNumber: from - 3,
      });
      if (mark) filter?.moved(mark);
      if (fails === "after") throw new Undone();
    });
    await recording.catch((error) => {
      if (!(error instanceof Undone)) throw error;
    });
  }

  private async backUp(): Promise<void> {
    for (const name of tables) {
      await this.pool.query(`DROP TABLE IF EXISTS ${name}_${this.chainId}`);
      await this.pool.query(
        `CREATE TABLE ${name}_${this.chainId} AS SELECT * FROM ${name} WHERE chain_id = '${this.chainId}'`,
      );
    }
  }

  /** As from a copy of the files: no trigger sees it. */
  private async restore(): Promise<void> {
    const { rows } = await this.pool.query("SELECT to_regclass($1) AS there", [`chains_${this.chainId}`]);
    if (!rows[0]?.there) return;
    await inTransaction(this.pool, async (db) => {
      await db.query("SET LOCAL session_replication_role = replica");
      for (const name of tables) {
        await db.query(`DELETE FROM ${name} WHERE chain_id = $1`, [this.chainId]);
        await db.query(`INSERT INTO ${name} SELECT * FROM ${name}_${this.chainId}`);
      }
    });
  }
}

const tables = ["webhook_addresses", "address_additions", "webhooks", "chain_blocks", "chain_lanes", "chains"];

const plain = (watched: Watched, block: number) =>
  [...watched.at(block)].map(([address, watchers]) => [address, watchers.map(({ id }) => id).sort()]).sort();

const plainWebhook = {
  url: "https://example.com/hook",
  eventType: "address_activity" as const,
  name: "",
  description: "",
  includeInternalTxs: false,
  includeLogs: false,
  eventSignatures: [],
};
