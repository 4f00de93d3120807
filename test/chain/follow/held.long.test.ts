/** Webhooks with a finality, on real chains: by tag, by depth, and final at once; and finality that comes late. */
import { afterEach, describe, expect, test } from "vitest";
import type { WebhookOptions } from "../../../server/matching/new-webhook.ts";
import type { Finality } from "../../../server/settings/chain-profiles.ts";
import { hasFinalBlock } from "../../../server/store/chains/cursor.ts";
import { createReplay, getReplay } from "../../../server/store/chains/replays.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { testChainId } from "../../support/service.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";
import type { Notified } from "../notified.ts";

let world: ChainWorld;
afterEach(() => world.stop());

const slots = ["--slots-in-an-epoch", "1"];

async function start(finality: Finality, args: string[] = []): Promise<void> {
  world = await startChainWorld({ node: { args }, chain: { finality } });
  await world.start();
  await world.followed();
}

const watch = (address: string, finality: NonNullable<WebhookOptions["finality"]>) =>
  world.watch({ addresses: [address], options: { finality } });

/** Such as `+5@0 F5 -5`: notified of block 5 with none on top, of its finality, which a node may report early or late, and of its retraction. */
function story(notified: readonly Notified[]): string {
  return notified
    .map(({ removed, blockNumber, event: { finalized, confirmations } }) =>
      removed ? `-${blockNumber}` : finalized ? `F${blockNumber}` : `+${blockNumber}@${confirmations}`,
    )
    .join(" ");
}

const soonTold = (webhook: { id: string }, expected: string) =>
  soon(async () => expect(story(await world.notified(webhook))).toBe(expected));

/** One block after the other is followed. */
async function mineEach(blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block += 1) {
    await world.chain.mine();
    await world.followed();
  }
}

async function heldRows(): Promise<[number, number]> {
  const { rows } = await world.pool.query<{ notifications: number; events: number }>(
    "SELECT (SELECT count(*) FROM held_notifications) AS notifications, (SELECT count(*) FROM held_events) AS events",
  );
  return [rows[0]?.notifications ?? -1, rows[0]?.events ?? -1];
}

describe("on a chain that is final by tag", () => {
  test("each is notified when its block is as deep as it wants, and nothing stays held", async () => {
    await start("finalized", slots);
    const address = freshAddress();
    const instant = await world.watch({ addresses: [address] });
    const deep = await watch(address, { confirmations: 1 });
    const final = await watch(address, "finalized");
    const both = await watch(address, "both");
    await world.chain.transfer(address);
    await world.followed();
    expect((await world.notified(instant)).map(({ event }) => Object.keys(event))).toEqual([["transaction"]]);
    expect(story(await world.notified(deep))).toBe("");
    expect(story(await world.notified(both))).toBe("+1@0");
    // They share the text.
    expect(await heldRows()).toEqual([3, 1]);
    await mineEach(1);
    expect(story(await world.notified(deep))).toBe("+1@1");
    await mineEach(1);
    await soonTold(final, "F1");
    await soonTold(both, "+1@0 F1");
    expect(await heldRows()).toEqual([0, 0]);
    expect(await world.notified(instant)).toHaveLength(1);
  });

  test("a block that leaves the chain is never notified to those it was held for, and is again when it is back", async () => {
    await start("finalized", slots);
    const address = freshAddress();
    const [one, two] = [await watch(address, { confirmations: 1 }), await watch(address, { confirmations: 2 })];
    const [final, both] = [await watch(address, "finalized"), await watch(address, "both")];
    await mineEach(3);
    await world.chain.transfer(address);
    await world.followed();
    await mineEach(1);
    await soonTold(one, "+4@1");
    await world.chain.reorg(2, [{ to: address, at: 1 }]);
    await world.followed();
    await soonTold(one, "+4@1 -4");
    expect(story(await world.notified(two))).toBe("");
    expect(story(await world.notified(both))).toBe("+4@0 -4 +5@0");
    await mineEach(2);
    await soonTold(one, "+4@1 -4 +5@1");
    await soonTold(two, "+5@2");
    await soonTold(final, "F5");
    await soonTold(both, "+4@0 -4 +5@0 F5");
    expect(await heldRows()).toEqual([0, 0]);
  });

  /** A block whose finality comes once the chain stands still. */
  async function finalLate() {
    await start("finalized", slots);
    let isLate = true;
    world.proxy.answer = async ({ method, params }, forward) =>
      isLate && method === "eth_getBlockByNumber" && params[0] === "finalized"
        ? { result: await world.chain.rpc("eth_getBlockByNumber", ["0x0", false]) }
        : forward();
    const address = freshAddress();
    const both = await watch(address, "both");
    await world.chain.transfer(address);
    await world.followed();
    await mineEach(4);
    return {
      both,
      come() {
        isLate = false;
      },
    };
  }

  test("finality that comes late is noticed without a new block, also after a restart", async () => {
    const { both, come } = await finalLate();
    expect(story(await world.notified(both))).toBe("+1@0");
    await world.halt();
    await world.start();
    come();
    await soonTold(both, "+1@0 F1");
  });

  test("a branch that leaves below what was notified as final is not followed, though no block came since", async () => {
    const { both, come } = await finalLate();
    come();
    await soonTold(both, "+1@0 F1");
    const cursor = await world.cursor();
    await world.chain.reorg(5);
    await soon(async () => expect(await world.stopped()).toMatch(/contradicts a block that was final/));
    expect(await world.cursor()).toEqual(cursor);
    expect(story(await world.notified(both))).toBe("+1@0 F1");
  });

  test("one that is inactive when its block is final is notified, too, and one that is deleted is not", async () => {
    await start("finalized", slots);
    const address = freshAddress();
    const [paused, deleted] = [await watch(address, "finalized"), await watch(address, "finalized")];
    await world.chain.transfer(address);
    await world.followed();
    await world.pool.query("UPDATE webhooks SET status = 'inactive' WHERE id = $1", [paused.id]);
    await world.pool.query("DELETE FROM webhooks WHERE id = $1", [deleted.id]);
    await mineEach(2);
    await soonTold(paused, "F1");
    expect(await world.notified(deleted)).toEqual([]);
    await soon(async () => expect((await heldRows())[0]).toBe(0));
  });
});

test("a chain whose nodes lack the tag has no final block, until one has it", async () => {
  world = await startChainWorld({ node: { args: slots }, chain: { finality: "finalized" } });
  const hasTag = { yet: false };
  world.proxy.answer = async ({ params }, forward) =>
    params[0] === "finalized" && !hasTag.yet ? { result: null } : forward();
  await world.start();
  await world.followed();
  await mineEach(2);
  expect(await hasFinalBlock(world.pool, testChainId)).toBe(false);
  hasTag.yet = true;
  await mineEach(2);
  expect(await hasFinalBlock(world.pool, testChainId)).toBe(true);
});

test("on a chain that is final by depth, that depth counts", async () => {
  await start({ confirmations: 3 });
  const address = freshAddress();
  const [final, both] = [await watch(address, "finalized"), await watch(address, "both")];
  await world.chain.transfer(address);
  await world.followed();
  await mineEach(2);
  expect([story(await world.notified(final)), story(await world.notified(both))]).toEqual(["", "+1@0"]);
  await mineEach(1);
  expect([story(await world.notified(final)), story(await world.notified(both))]).toEqual(["F1", "+1@0 F1"]);
});

test("a replay adds what was missed once it is deep enough, and sends both notifications of both again", async () => {
  await start({ confirmations: 3 });
  const address = freshAddress();
  await world.chain.transfer(address);
  await mineEach(3);
  await world.chain.transfer(address);
  await world.followed();
  const deep = await watch(address, { confirmations: 2 });
  const [final, both] = [await watch(address, "finalized"), await watch(address, "both")];
  const replay = async ({ id }: { id: string }) => {
    const range = { from: 1n, to: 5n, includeEarlier: true };
    const created = await inTransaction(world.pool, (db) => createReplay(db, 1, id, range));
    return soon(async () => {
      const { status, resentCount, addedCount } = await getReplay(world.pool, 1, id, created.id);
      expect(status).toBe("done");
      return [resentCount, addedCount];
    });
  };
  expect(await replay(deep)).toEqual([0, 2]);
  expect(await replay(final)).toEqual([0, 2]);
  expect(await replay(both)).toEqual([0, 4]);
  expect(story(await world.notified(deep))).toBe("+1@4");
  expect(story(await world.notified(final))).toBe("F1");
  expect(story(await world.notified(both))).toBe("+1@4 F1 +5@0");
  // What is held already is not added again.
  expect(await replay(both)).toEqual([3, 0]);
  await mineEach(3);
  await soonTold(deep, "+1@4 +5@2");
  await soonTold(final, "F1 F5");
  await soonTold(both, "+1@4 F1 +5@0 F5");
  expect(await replay(both)).toEqual([4, 0]);
  expect(await heldRows()).toEqual([0, 0]);
});

test("on a chain whose blocks are final at once, finalized is immediate, and both sends the second with the first", async () => {
  await start("latest");
  const address = freshAddress();
  const [final, both] = [await watch(address, "finalized"), await watch(address, "both")];
  const deep = await watch(address, { confirmations: 2 });
  await world.chain.transfer(address);
  await world.followed();
  expect(story(await world.notified(final))).toBe("F1");
  expect(story(await world.notified(both))).toBe("+1@0 F1");
  expect(await heldRows()).toEqual([1, 1]);
  await mineEach(2);
  expect(story(await world.notified(deep))).toBe("+1@2");
});
