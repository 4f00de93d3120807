/** What is retracted, of what is notified instead, and for whom. */

import { afterEach, expect, test } from "vitest";
import { openWallet } from "../../../scripts/local/wallet.ts";
import { plainLane } from "../../../server/store/chains/cursor.ts";
import { setApart } from "../../../server/store/chains/lanes.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { addAddresses } from "../../../server/store/webhooks/addresses.ts";
import { deleteWebhook, updateWebhook } from "../../../server/store/webhooks/changes.ts";
import { runs } from "../../support/runs.ts";
import { seeded } from "../../support/seeded.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";
import { brief, standing } from "../notified.ts";

let world: ChainWorld;
afterEach(() => world.stop());

test("a retraction is the same event with removed: true, in its logs too, with its own messageId", async () => {
  world = await startChainWorld();
  const wallet = await openWallet(world.node.rpcUrl);
  const token = await wallet.deploy("ERC20PresetFixedSupply", ["Coin", "CN", 1_000n, wallet.address]);
  await world.start();
  await world.followed();
  const { id } = await world.watch({ addresses: [token.address.toLowerCase()], includeLogs: true });
  await wallet.call(token, "transfer", [freshAddress(), 5n]);
  await world.followed();
  await world.chain.reorg(1);
  await world.followed();

  const [notified, retracted, ...more] = await world.notified({ id });
  expect(more).toEqual([]);
  expect(notified?.event.removed).toBeUndefined();
  expect(notified?.event.logs).toMatchObject([{ address: token.address.toLowerCase(), removed: false }]);
  expect(retracted?.event).toEqual({
    ...notified?.event,
    logs: notified?.event.logs?.map((log) => ({ ...log, removed: true })),
    removed: true,
  });
  expect([notified?.occurrence, retracted?.occurrence]).toEqual([0, 1]);
  expect(retracted?.messageId).not.toBe(notified?.messageId);
});

test("a transaction that is mined again in another block is retracted and notified again", async () => {
  world = await startChainWorld();
  await world.start();
  await world.followed();
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address] });
  await world.chain.mine();
  const { hash } = await world.chain.transfer(address);
  await world.followed();
  const raw = await world.chain.rpc("eth_getRawTransactionByHash", [hash]);
  await world.chain.rpc("anvil_reorg", [2, [[raw, 0]]]);
  await world.followed();

  const notified = await world.notified({ id });
  expect(brief(notified)).toBe("+2 -2 +1");
  expect(new Set(notified.map(({ transactionHash }) => transactionHash))).toEqual(new Set([hash]));
  expect(new Set(notified.map(({ messageId }) => messageId)).size).toBe(3);
});

test("the very block that following began with may be replaced", async () => {
  world = await startChainWorld();
  await world.chain.mine(5);
  await world.start();
  await world.followed();
  const address = freshAddress();
  const { id, effectiveFromBlock } = await world.watch({ addresses: [address] });
  expect(effectiveFromBlock).toBe("6");
  await world.chain.reorg(
    2,
    [0, 1].map((at) => ({ to: address, at })),
  );
  await world.chain.transfer(address);
  await world.followed();
  expect(await world.stopped()).toBeNull();
  expect(brief(await world.notified({ id }))).toBe("+6");
});

test("a branch that leaves below the first block of a webhook, or of an address added to it, is notified from there on only", async () => {
  world = await startChainWorld();
  await world.start();
  await world.chain.mine(4);
  await world.followed();
  const [first, second] = [freshAddress(), freshAddress()];
  const webhook = await world.watch({ addresses: [first] });
  await world.chain.mine(2);
  await world.followed();
  const added = await inTransaction(world.pool, (db) => addAddresses(db, 1, webhook.id, [second]));
  expect([Number(webhook.effectiveFromBlock), added.firstBlock]).toEqual([5, 7]);
  await world.chain.reorg(
    4,
    [0, 1, 2, 3].flatMap((at) => [first, second].map((to) => ({ to, at }))),
  );
  await world.chain.transfer(second);
  await world.followed();
  const notified = await world.notified(webhook);
  expect(notified.map(({ blockNumber, event }) => [blockNumber, event.transaction.to])).toEqual([
    [5, first],
    [6, first],
    [7, second],
  ]);
});

test("a branch that leaves below the block from which a webhook was resumed is notified from there on only", async () => {
  world = await startChainWorld();
  await world.start();
  await world.followed();
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 2);
  await world.followed();
  const set = (status: "active" | "inactive") =>
    inTransaction(world.pool, (db) => updateWebhook(db, 1, id, { status }));
  await set("inactive");
  expect((await set("active")).effectiveFromBlock).toBe("3");
  await world.chain.reorg(
    2,
    [0, 1].map((at) => ({ to: address, at })),
  );
  await world.chain.transfer(address);
  await world.followed();
  expect(brief(await world.notified({ id }))).toBe("+1 +2 -2 -1 +3");
});

test("a deleted webhook gets no retraction; an inactive one, or one that no longer watches the address, does", async () => {
  world = await startChainWorld();
  await world.start();
  await world.followed();
  const address = freshAddress();
  const [deleted, inactive, still] = [
    await world.watch({ addresses: [address] }),
    await world.watch({ addresses: [address] }),
    await world.watch({ addresses: [address] }),
  ];
  await world.chain.transfer(address);
  await world.followed();
  await inTransaction(world.pool, (db) => deleteWebhook(db, 1, deleted.id));
  await inTransaction(world.pool, (db) => updateWebhook(db, 1, inactive.id, { status: "inactive" }));
  await world.pool.query("DELETE FROM webhook_addresses WHERE webhook_id = $1", [still.id]);
  await world.chain.reorg(1);
  await world.followed();
  expect(brief(await world.notified(deleted))).toBe("+1");
  expect(brief(await world.notified(inactive))).toBe("+1 -1");
  expect(brief(await world.notified(still))).toBe("+1 -1");
});

test("what an account was notified of while its webhooks are set apart is retracted in order, and the branch follows", async () => {
  world = await startChainWorld();
  await world.start();
  await world.followed();
  const address = freshAddress();
  const { id, chainId } = await world.watch({ addresses: [address] });
  const cursor = await world.cursor();
  const lane = { ...plainLane(chainId), traces: false, catchesUp: false };
  expect(cursor && (await setApart(world.pool, lane, { accountIds: [1], cursor }))).toBe(1);
  const notified = (order: string) => soon(async () => expect(brief(await world.notified({ id }))).toBe(order));
  await world.chain.transfers(address, 3);
  await notified("+1 +2 +3");
  await world.chain.reorg(
    2,
    [0, 1].map((at) => ({ to: address, at })),
  );
  await world.chain.transfer(address);
  await notified("+1 +2 +3 -3 -2 +2 +3 +4");
  const { rows } = await world.pool.query(
    "SELECT apart_account, owed_after, leaving_above FROM chain_lanes ORDER BY lane",
  );
  expect(rows[1]).toEqual({ apart_account: 1, owed_after: null, leaving_above: null });
});

test("after any sequence of blocks, branches and restarts, the notifications match the chain", async () => {
  world = await startChainWorld();
  await world.start();
  await world.followed();
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address] });
  const random = seeded(20_241_121);
  for (let round = 0; round < runs(8, 25); round += 1) {
    const choice = random(10);
    if (choice < 4) await world.chain.transfers(address, 1 + random(4));
    else if (choice < 5) await world.chain.mine(1 + random(12));
    else if (choice < 9) {
      const { number } = await world.chain.head();
      const depth = Math.min(number, 1 + random(12));
      const transfers = [0, 0, 1, 2].filter((at) => at < depth).map((at) => ({ to: address, at }));
      if (depth > 0) await world.chain.reorg(depth, transfers);
    } else {
      await world.halt();
      await world.chain.transfers(address, 2);
      await world.start();
    }
    if (random(2)) await world.followed();
  }
  await world.chain.transfer(address);
  await world.followed();
  expect(standing(await world.notified({ id }))).toEqual(await world.chain.transactionsTo(address));
  expect(await world.stopped()).toBeNull();
});
