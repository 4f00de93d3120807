/** Missing traces hold up only the webhooks that want them. A webhook that stops wanting them still gets every block. */
import { afterEach, expect, test } from "vitest";
import { inTransaction } from "../../../server/store/pool.ts";
import { updateWebhook } from "../../../server/store/webhooks/changes.ts";
import type { WebhookChange } from "../../../server/store/webhooks/webhooks.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";

let world: ChainWorld;
afterEach(() => world.stop());

test("the log names a node that is configured to trace but does not, and the setting", async () => {
  await startUntraced();
  const warned = () => world.logged.filter(({ setting }) => setting === "traces");
  await soon(async () => expect(warned()).toHaveLength(1));
  expect(warned()).toMatchObject([
    { level: 40, node: world.proxy.url, msg: expect.stringContaining('"traces": true') },
  ]);
});

/** A chain whose node has no `debug_` methods, as most public ones. */
async function startUntraced(): Promise<void> {
  world = await startChainWorld({ chain: { patienceMs: 1_000 } });
  refuseTraces();
  await world.start();
  await world.followed();
}

function refuseTraces(): void {
  const refused = { error: { code: -32601, message: "the method debug_traceBlockByHash does not exist" } };
  world.proxy.answer = ({ method }, forward) => (method.startsWith("debug_") ? refused : forward());
}

const change = ({ id }: { id: string }, wanted: WebhookChange) =>
  inTransaction(world.pool, (db) => updateWebhook(db, 1, id, wanted));

test("without traces a webhook that needs them delays no other, and the chain reports them missing", async () => {
  await startUntraced();
  const [ours, theirs] = [freshAddress(), freshAddress()];
  const wanting = await world.watch({ addresses: [theirs], includeInternalTxs: true });
  const plain = await world.watch({ addresses: [ours] });
  for (let block = 0; block < 5; block += 1) {
    await world.chain.transfer(theirs);
    await world.chain.transfer(ours);
  }
  await world.assertExact(plain);
  expect(await world.notified(wanting)).toEqual([]);
  await soon(async () => expect(await world.stopped({ traces: true })).toMatch(/traces of its next blocks/));
  expect(await world.stopped()).toBeNull();
});

test("turned off while they are missing, they are not waited for any longer, and no block is lost or comes twice", async () => {
  await startUntraced();
  const address = freshAddress();
  const wanting = await world.watch({ addresses: [address], includeInternalTxs: true });
  await world.chain.transfers(address, 20);
  expect(await world.notified(wanting)).toEqual([]);
  await change(wanting, { includeInternalTxs: false });
  await world.chain.transfers(address, 5);
  await world.followed();
  await world.assertExact(wanting);
});

test("when traces return, waiting notifications arrive in the order of the chain, with traces", async () => {
  await startUntraced();
  const address = freshAddress();
  const wanting = await world.watch({ addresses: [address], includeInternalTxs: true });
  await world.chain.transfers(address, 10);
  world.proxy.answer = (_, forward) => forward();
  await world.followed();
  await world.assertExact(wanting);
  for (const { event } of await world.notified(wanting))
    expect(event.transaction).toHaveProperty("internalTransactions");
});

test("a notification from before a change of lanes is retracted once, after the change", async () => {
  world = await startChainWorld();
  await world.start();
  await world.followed();
  const address = freshAddress();
  const webhook = await world.watch({ addresses: [address] });
  await world.chain.transfers(address, 3);
  await world.followed();
  // The other lane is there and further back, so that the webhook needs its own in between.
  refuseTraces();
  const other = await world.watch({ addresses: [freshAddress()], includeInternalTxs: true });
  await world.chain.transfer(address);
  await soon(async () => expect(await world.notified(webhook)).toHaveLength(4));
  await change(webhook, { includeInternalTxs: true });
  await world.chain.mine();
  await world.chain.reorg(4, [{ to: address, at: 1 }]);
  world.proxy.answer = (_, forward) => forward();
  await world.followed();
  const notified = await world.notified(webhook);
  expect(notified.filter(({ removed }) => removed)).toHaveLength(3);
  expect(notified).toHaveLength(4 + 3 + 1);
  expect(await world.notified(other)).toEqual([]);
});

test("the lane with traces ends with the last webhook that wants them, and a webhook made active again has one", async () => {
  world = await startChainWorld();
  await world.start();
  await world.followed();
  const address = freshAddress();
  const webhook = await world.watch({ addresses: [address], includeInternalTxs: true });
  const lanes = async () => (await world.pool.query("SELECT traces FROM chain_lanes ORDER BY lane")).rows;
  await world.chain.transfer(address);
  await world.followed();
  expect(await lanes()).toEqual([{ traces: false }, { traces: true }]);
  await change(webhook, { status: "inactive" });
  await soon(async () => expect(await lanes()).toEqual([{ traces: false }]));
  await world.chain.transfer(address);
  await world.followed();
  const traced = world.proxy.count("debug_traceBlockByHash");
  expect(traced).toBe(2);
  await change(webhook, { status: "active" });
  await world.chain.transfer(address);
  await world.followed();
  expect(world.proxy.count("debug_traceBlockByHash")).toBe(traced + 1);
  expect(await world.notified(webhook)).toHaveLength(2);
});
