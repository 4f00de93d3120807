/** Traces are fetched while a webhook wants internal transactions, and from its first block on. */
import { afterEach, expect, test } from "vitest";
import { type DeployedContract, openWallet, type Wallet } from "../../../scripts/local/wallet.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { updateWebhook } from "../../../server/store/webhooks/changes.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";

let world: ChainWorld;
afterEach(() => world.stop());

async function startTraced(chain: { traces?: boolean } = {}): Promise<void> {
  world = await startChainWorld({ chain });
  await world.start();
  await world.followed();
  // One call checks whether the node traces at all.
  if (chain.traces !== false) await soon(async () => expect(world.proxy.count("debug_traceBlockByHash")).toBe(1));
  world.proxy.calls.length = 0;
}

const traced = () => world.proxy.count("debug_traceBlockByHash");

/** A contract that pays the address something each time it is called. */
async function payerOf(
  payee: string,
): Promise<{ wallet: Wallet; payer: DeployedContract; pay: () => Promise<number> }> {
  const wallet = await openWallet(world.node.rpcUrl);
  const payer = await wallet.deploy("PaymentSplitter", [[payee], [1n]]);
  const pay = async () => {
    await world.chain.transfer(payer.address);
    return Number((await wallet.call(payer, "release", [payee])).blockNumber);
  };
  await world.followed();
  return { wallet, payer, pay };
}

test("they are fetched only while an active webhook wants them", async () => {
  await startTraced();
  const address = freshAddress();
  await world.watch({ addresses: [address] });
  await world.chain.transfer(address);
  await world.followed();
  expect(traced()).toBe(0);
  const { id } = await world.watch({ addresses: [address], includeInternalTxs: true });
  await world.chain.transfer(address);
  await world.chain.transfer(address);
  await world.followed();
  expect(traced()).toBe(2);
  await inTransaction(world.pool, (db) => updateWebhook(db, 1, id, { status: "inactive" }));
  await world.followed();
  await world.chain.transfer(address);
  await world.followed();
  expect(traced()).toBe(2);
});

test("a webhook that wants them from some block on gets every internal transfer from that block on, exactly", async () => {
  await startTraced();
  const payee = freshAddress();
  const { pay } = await payerOf(payee);
  const paid: number[] = [];
  let going = true;
  const paying = (async () => {
    while (going) paid.push(await pay());
  })();
  const webhooks = [];
  for (let count = 0; count < 4; count += 1) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    webhooks.push(await world.watch({ addresses: [payee], includeInternalTxs: true }));
  }
  await new Promise((resolve) => setTimeout(resolve, 150));
  going = false;
  await paying;
  await world.followed();
  for (const { id, effectiveFromBlock } of webhooks) {
    const expected = paid.filter((block) => block >= Number(effectiveFromBlock));
    expect((await world.notified({ id })).map(({ blockNumber }) => blockNumber)).toEqual(expected);
  }
  expect(webhooks.every(({ effectiveFromBlock }) => Number(effectiveFromBlock) <= Math.max(...paid))).toBe(true);
});

test("blocks that were fetched without, when a webhook began to want them, are fetched again with them", async () => {
  await startTraced();
  const payee = freshAddress();
  const { pay } = await payerOf(payee);
  let created: { id: string } | undefined;
  // The webhook comes after the block was fetched, and before it is recorded.
  world.proxy.answer = async ({ method }, forward) => {
    const answer = await forward();
    if (method === "eth_getBlockReceipts" && !created)
      created = await world.watch({ addresses: [payee], includeInternalTxs: true });
    return answer;
  };
  const block = await pay();
  await world.followed();
  expect((await world.notified(created ?? { id: "" })).map(({ blockNumber }) => blockNumber)).toEqual([block]);
});

test("while they are wanted and the node fails to return them, no block is recorded without", async () => {
  await startTraced();
  const payee = freshAddress();
  const { pay, payer } = await payerOf(payee);
  const { id } = await world.watch({ addresses: [payee], includeInternalTxs: true });
  const plain = await world.watch({ addresses: [payer.address] });
  const refused = { error: { code: -32601, message: "the method debug_traceBlockByHash does not exist" } };
  world.proxy.answer = ({ method }, forward) => (method.startsWith("debug_") ? refused : forward());
  const block = await pay();
  await soon(async () => expect(traced()).toBeGreaterThan(1));
  // Only those wait who want them.
  await soon(async () => expect((await world.cursor())?.number).toBe(block));
  expect(await world.notified(plain)).toHaveLength(2);
  expect(await world.notified({ id })).toEqual([]);
  world.proxy.answer = (_, forward) => forward();
  await world.followed();
  expect((await world.notified({ id })).map(({ blockNumber }) => blockNumber)).toEqual([block]);
});

test("on a chain configured without traces a webhook that needs them waits, and the chain reports it", async () => {
  await startTraced({ traces: false });
  const address = freshAddress();
  const { id } = await world.watch({ addresses: [address], includeInternalTxs: true });
  await world.chain.transfer(address);
  await soon(async () =>
    expect(await world.stopped({ traces: true })).toMatch(
      /^Webhooks on chain 43112 include internal transactions, but .*"traces": false/,
    ),
  );
  const { length } = world.proxy.calls;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(world.proxy.calls.length - length).toBeLessThan(10);
  await world.halt();
  await world.start({ traces: true });
  await world.followed();
  expect(await world.stopped({ traces: true })).toBeNull();
  expect(await world.notified({ id })).toHaveLength(1);
});
