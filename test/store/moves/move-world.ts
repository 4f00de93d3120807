/**
 * Two cells on two databases that follow one chain, each at its own pace, and an account that moves between them. The test says who steps
 * when, what becomes of the chain, and when the command is killed.
 */
import { expect } from "vitest";
import { isServiceError } from "../../../server/base/errors.ts";
import { noKeys } from "../../../server/settings/keyring.ts";
import { createKey, findCaller } from "../../../server/store/accounts/keys.ts";
import { beginAt, ensureChain, plainLane, readCursor } from "../../../server/store/chains/cursor.ts";
import { type HistoryMode, type HistoryStart, newestBlock, setApart } from "../../../server/store/chains/lanes.ts";
import { abortMove } from "../../../server/store/moves/abort.ts";
import { moveAccount } from "../../../server/store/moves/move-account.ts";
import type { Cells } from "../../../server/store/moves/record.ts";
import { inTransaction, type Pool } from "../../../server/store/pool.ts";
import { addAddresses, removeAddresses } from "../../../server/store/webhooks/addresses.ts";
import { deleteWebhook, updateWebhook } from "../../../server/store/webhooks/changes.ts";
import { createWebhook } from "../../../server/store/webhooks/creation.ts";
import type { WebhookChange } from "../../../server/store/webhooks/webhooks.ts";
import type { Finality } from "../../chain/finalities.ts";
import { blockAt, type Kind, kinds, LaneFollowers } from "../../chain/lane-followers.ts";
import { MadeChain } from "../../chain/made-chain.ts";
import { type Block, sender, watched } from "../../chain/one-transaction.ts";
import { Killed, mortal } from "./mortal.ts";
import { assertMoved, type Side, type TestWebhook } from "./move-exact.ts";

export type { Side } from "./move-exact.ts";

const account = "mover";
const another = `0x${"ef".repeat(20)}`;

const sides = [0, 1] as const;

export class MoveWorld {
  readonly pools: readonly [Pool, Pool];
  readonly chain: MadeChain;
  readonly account: string;
  private webhooks: TestWebhook[] = [];
  private readonly followers: readonly [LaneFollowers, LaneFollowers];
  private left: Block[] = [];
  private key = "";

  private constructor(pools: readonly [Pool, Pool], chainId: string, name: string) {
    this.pools = pools;
    this.account = name;
    this.chain = new MadeChain(chainId);
    this.followers = [new LaneFollowers(pools[0], this.chain), new LaneFollowers(pools[1], this.chain)];
  }

  /**
   * Both cells have followed the chain for long enough; each has a webhook of an account that stays.
   *
   * @param name the account's: that of another world, for an account with webhooks on two chains
   */
  static async start(
    pools: readonly [Pool, Pool],
    chainId: string,
    name = `${account} ${chainId}`,
  ): Promise<MoveWorld> {
    const world = new MoveWorld(pools, chainId, name);
    world.chain.mine(2);
    for (const pool of pools) {
      await ensureChain(pool, chainId);
      await beginAt(pool, { chainId, lane: 0 }, blockAt(world.chain.blocks, 1));
    }
    for (const side of sides) {
      const { key } = await createKey(pools[side], { account: `stays ${chainId}`, scopes: ["read"] });
      await world.createAt(side, key);
    }
    world.chain.mine(3);
    world.chain.finalise(1);
    for (const side of sides) while (await world.step(side, "plain"));
    ({ key: world.key } = await createKey(pools[0], { account: world.account, scopes: ["read", "write"] }));
    await world.create({ includeInternalTxs: false });
    return world;
  }

  /** Replaces the newest blocks. @param back by blocks that left the chain before */
  reorganise(depth: number, { back = false } = {}): void {
    if (back) this.chain.restore(this.left);
    else this.left = this.chain.reorganise(depth);
  }

  async step(side: Side, kind: Kind, killed = false): Promise<boolean> {
    return this.followers[side].step(kind, { killed });
  }

  restart(side: Side, kind: Kind): void {
    this.followers[side].restart(kind);
  }

  /** The cell that answers for the account and lets it be changed; undefined while none does. */
  async home(): Promise<{ side: Side; accountId: number } | undefined> {
    for (const side of sides) {
      const { rows } = await this.pools[side].query<{ id: number }>(
        "SELECT id FROM accounts WHERE name = $1 AND move_state IS NULL",
        [this.account],
      );
      if (rows[0]) return { side, accountId: rows[0].id };
    }
    return undefined;
  }

  /** @param back how far before the newest recorded block it starts; undefined for the next one */
  async create({
    finality,
    back,
    mode,
    ...wanted
  }: {
    includeInternalTxs: boolean;
    finality?: Finality;
    back?: number;
    mode?: HistoryMode;
  }): Promise<void> {
    const home = await this.home();
    if (!home) return;
    const options = finality && { options: { finality } };
    const history = back === undefined ? undefined : { ...(await this.startBack(home.side, back)), mode };
    const ofChain = { chainId: this.chain.chainId, addresses: [watched], history };
    const whole = { ...plainWebhook, ...ofChain, ...wanted, ...options };
    const { id } = await inTransaction(this.pools[home.side], (db) => createWebhook(db, home.accountId, whole, noKeys));
    this.webhooks.push({ id, wasPaused: false });
  }

  private async startBack(side: Side, back: number): Promise<HistoryStart> {
    const newest = (await newestBlock(this.pools[side], this.chain.chainId)) ?? 0;
    const from = Math.max(1, Math.min(newest, this.chain.blocks.length - 1) - back);
    const { number, hash } = blockAt(this.chain.blocks, from - 1);
    return { from, cursor: { number, hash } };
  }

  /** How many histories a cell has. */
  async histories(side: Side): Promise<number> {
    const { rows } = await this.pools[side].query<{ lanes: number }>(
      `SELECT count(DISTINCT l.lane)::int AS lanes FROM chain_lanes l JOIN webhooks USING (chain_id, lane)
       WHERE chain_id = $1 AND catches_up AND history_from IS NOT NULL`,
      [this.chain.chainId],
    );
    return rows[0]?.lanes ?? 0;
  }

  /** The account's webhooks in the plain lane cost too much among others. */
  async setApart(): Promise<void> {
    const home = await this.home();
    if (!home) throw new Error("no cell answers for the account");
    const [pool, lane] = [this.pools[home.side], plainLane(this.chain.chainId)];
    const { cursor } = await readCursor(pool, lane);
    if (cursor)
      await setApart(pool, { ...lane, traces: false, catchesUp: false }, { accountIds: [home.accountId], cursor });
  }

  /** The lane that is set apart in a cell, as its row says. */
  async apart(side: Side): Promise<Record<string, unknown> | undefined> {
    const { rows } = await this.pools[side].query<Record<string, unknown>>(
      `SELECT cursor_number, owed_after, owed_from, leaving_above, encode(leaving_hash, 'hex') AS leaving_hash FROM chain_lanes
       WHERE chain_id = $1 AND apart_account IS NOT NULL`,
      [this.chain.chainId],
    );
    return rows[0];
  }

  /** Of an account that stays. What only the other account watches is not known to its cell. */
  private async createAt(side: Side, key: string): Promise<void> {
    const caller = await findCaller(this.pools[side], key);
    const whole = { ...plainWebhook, chainId: this.chain.chainId, addresses: [sender], includeInternalTxs: false };
    const { id } = await inTransaction(this.pools[side], (db) =>
      createWebhook(db, caller?.accountId ?? 0, whole, noKeys),
    );
    this.webhooks.push({ id, wasPaused: false, side });
  }

  /** What the account does by the API, if a cell answers for it. Adding and removing an address changes only the copies. */
  async change(index: number, change: WebhookChange | "add" | "remove" | "delete"): Promise<void> {
    const home = await this.home();
    const own = this.webhooks.filter(({ side }) => side === undefined);
    const webhook = own[index % Math.max(1, own.length)];
    if (!home || !webhook) return;
    const { id } = webhook;
    await inTransaction(this.pools[home.side], async (db) => {
      if (change === "add") await addAddresses(db, home.accountId, id, [another]);
      else if (change === "remove") await removeAddresses(db, home.accountId, id, [another]);
      else if (change === "delete") await deleteWebhook(db, home.accountId, id);
      else await updateWebhook(db, home.accountId, id, change);
    }).catch((error) => {
      if (!isServiceError(error, "too_many_lanes", "account_elsewhere")) throw error;
    });
    if (typeof change !== "string" && change.status) webhook.wasPaused = true;
    if (change === "delete") this.webhooks = this.webhooks.filter((kept) => kept !== webhook);
  }

  /**
   * Runs the command.
   *
   * @param options.isAway whether the new cell's database is gone
   * @param options.killedAfter how many statements it lives
   * @param options.meanwhile what happens before each of its transactions
   * @returns whether it came to its end: moved, undone or refused
   */
  async move(options: {
    to: Side;
    abort?: boolean;
    isAway?: boolean;
    killedAfter?: number | undefined;
    meanwhile?: (() => Promise<void>) | undefined;
  }): Promise<"done" | "killed" | "refused"> {
    const { to, abort = false, isAway = false, killedAfter = Number.POSITIVE_INFINITY, meanwhile } = options;
    const life = { statements: killedAfter, ...(meanwhile && { meanwhile }) };
    const cellOf = (side: Side) => ({ pool: mortal(this.pools[side], life), name: `cell ${side}` });
    const gone = { pool: mortal(this.pools[to], { statements: 0 }), name: "gone" };
    const cells: Cells = { from: cellOf(to === 1 ? 0 : 1), to: isAway ? gone : cellOf(to) };
    try {
      if (abort) await abortMove(cells, this.account, { isAway });
      else await moveAccount(cells, this.account, { keyring: noKeys });
      return "done";
    } catch (error) {
      if (error instanceof Killed) return "killed";
      if (isServiceError(error, "move_refused", "account_not_found")) return "refused";
      throw error;
    }
  }

  /** Whether all of the account is in the new cell, where nothing is recorded for it yet. */
  async hasArrived(): Promise<boolean> {
    const { rowCount } = await this.pools[1].query("SELECT FROM moves WHERE account = $1 AND state = 'arrived'", [
      this.account,
    ]);
    return rowCount === 1;
  }

  /** Whether the old cell has released the account, and nobody has taken over. */
  async isReleased(): Promise<boolean> {
    const { rowCount } = await this.pools[0].query("SELECT FROM moves WHERE account = $1 AND state = 'released'", [
      this.account,
    ]);
    return rowCount === 1 && (await this.hasArrived());
  }

  /** Both cells follow the chain to its end. */
  async finish(): Promise<void> {
    for (let rounds = 0; ; rounds += 1) {
      expect(rounds).toBeLessThan(500);
      let moved = 0;
      // Slices of one webhook never make a lane calm, so they come back here, between blocks.
      for (const pool of this.pools)
        await pool.query(
          "UPDATE chain_lanes SET apart_account = NULL, apart_until = NULL WHERE chain_id = $1 AND owed_after IS NULL",
          [this.chain.chainId],
        );
      for (const side of sides) for (const kind of kinds) moved += (await this.step(side, kind)) ? 1 : 0;
      if (moved > 0) continue;
      const catchingUp = await Promise.all(this.pools.map((pool) => this.catchUpLanes(pool)));
      if (catchingUp.every((lanes) => lanes === 0)) return;
    }
  }

  private async catchUpLanes(pool: Pool): Promise<number> {
    const { rows } = await pool.query<{ open: number }>(
      `SELECT (SELECT count(*) FROM chain_lanes WHERE chain_id = $1 AND (catches_up OR cursor_number < $2))
         + (SELECT count(*) FROM webhooks w JOIN chain_lanes l USING (chain_id, lane)
            WHERE chain_id = $1 AND l.traces <> (include_internal_txs AND status = 'active')) AS open`,
      [this.chain.chainId, this.chain.blocks.length - 1],
    );
    return rows[0]?.open ?? 0;
  }

  /** See `assertMoved`. */
  async assertExact(): Promise<void> {
    const home = await this.home();
    if (!home) throw new Error("no cell answers for the account");
    const { blocks, finalNumber } = this.chain;
    await assertMoved(this.pools, { chain: blocks, final: finalNumber, webhooks: this.webhooks, home: home.side });
    expect(await findCaller(this.pools[home.side], this.key)).toMatchObject({ accountId: home.accountId });
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
