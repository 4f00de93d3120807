/** Factories on a real chain: their contracts are watched from the block that names them on, and no longer once it has left the chain. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Hex } from "../../../server/matching/wire.ts";
import { readLimits } from "../../../server/settings/limits.ts";
import { createReplay, getReplay } from "../../../server/store/chains/replays.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { addAddresses } from "../../../server/store/webhooks/addresses.ts";
import { updateWebhook } from "../../../server/store/webhooks/changes.ts";
import { getWebhook } from "../../../server/store/webhooks/webhooks.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";
import { brief, standing } from "../notified.ts";

const eventSignature: Hex = `0x${"c4".repeat(32)}`;
/** Deploys a contract that logs the event with the word it is called with as its argument. */
const factoryCode = `0x602a600c600039602a6000f3${`6000357f${eventSignature.slice(2)}60006000a200`}`;

let world: ChainWorld;
let factory = "";
beforeEach(async () => {
  world = await startChainWorld();
  await world.start({}, { limits: { ...readLimits({ ADDRESS_QUOTA: "3" }) } });
  const deployed = await send({ data: factoryCode });
  factory = deployed.contractAddress ?? "";
  await world.followed();
});
afterEach(() => world.stop());

async function rpc<T>(method: string, params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const reply = await fetch(world.node.rpcUrl, { method: "POST", headers, body });
  return ((await reply.json()) as { result: T }).result;
}

async function send(fields: object): Promise<{ contractAddress?: string }> {
  const [from] = await rpc<string[]>("eth_accounts", []);
  const hash = await rpc<string>("eth_sendTransaction", [{ from, gas: "0x100000", ...fields }]);
  return soon(async () => {
    const receipt = await rpc<{ contractAddress?: string } | null>("eth_getTransactionReceipt", [hash]);
    if (!receipt) throw new Error("no receipt");
    return receipt;
  });
}

const calling = (child: string) => ({ to: factory, data: `0x${"0".repeat(24)}${child.slice(2)}` });
const watch = () => {
  const createdBy = { address: factory, eventSignature, argument: "topic1" };
  return world.watch({ options: { createdBy } });
};
const record = (id: string) => getWebhook(world.pool, 1, id);

test("a webhook that starts in the past watches what its factory named since, and what it names once it is live", async () => {
  const [before, first, second, later] = [freshAddress(), freshAddress(), freshAddress(), freshAddress()];
  await send(calling(before));
  const { number, hash } = await world.chain.head();
  for (const child of [first, second]) {
    await world.chain.transfer(child);
    await send(calling(child));
    for (const to of [before, child]) await world.chain.transfer(to);
  }
  await world.followed();
  const createdBy = { address: factory, eventSignature, argument: "topic1" as const };
  const history = { from: number + 1, cursor: { number, hash } };
  const webhook = await world.watch({ options: { createdBy }, history });
  await world.followed();
  expect((await record(webhook.id)).history).toBeUndefined();
  await send(calling(later));
  await world.chain.transfer(later);
  await world.followed();
  const named = await Promise.all([first, second].map((child) => world.chain.transactionsTo(child)));
  const [ofLater] = await world.chain.transactionsTo(later);
  const expected = [...named.flatMap((all) => all.slice(1)), ofLater].map((one) => one?.hash);
  expect((await world.notified(webhook)).map(({ transactionHash }) => transactionHash)).toEqual(expected);
});

test("a contract is watched after its factory named it, and no longer once that block has left the chain", async () => {
  const webhook = await watch();
  const [left, kept] = [freshAddress(), freshAddress()];
  await send(calling(left));
  await world.chain.transfer(left);
  await world.followed();
  expect((await record(webhook.id)).metadata.addresses).toEqual([left]);
  const before = await world.notified(webhook);
  expect(before).toHaveLength(1);

  await world.chain.reorg(2, [
    { ...calling(kept), at: 0 },
    { to: kept, at: 1 },
    { to: left, at: 1 },
  ]);
  await world.chain.mine(1);
  await world.followed();
  await world.chain.transfer(left);
  await world.chain.transfer(kept);
  await world.followed();
  expect(await record(webhook.id)).toMatchObject({ addressCount: 1, metadata: { addresses: [kept] } });
  const all = await world.notified(webhook);
  const [first] = before;
  expect(brief(all)).toMatch(new RegExp(`^\\+${first?.blockNumber} -${first?.blockNumber} `));
  const expected = await world.chain.transactionsTo(kept);
  expect(standing(all).map(({ hash }) => hash)).toEqual(expected.map(({ hash }) => hash));
});

test("an address that was asked for stays when the block that created it leaves the chain", async () => {
  const webhook = await watch();
  const child = freshAddress();
  await send(calling(child));
  await world.followed();
  const added = await inTransaction(world.pool, (db) => addAddresses(db, 1, webhook.id, [child]));
  expect(added).toMatchObject({ changed: 0, webhook: { addressCount: 1 } });
  await world.chain.reorg(1);
  await world.chain.mine(1);
  await world.followed();
  await world.chain.transfer(child);
  await world.followed();
  expect(await world.notified(webhook)).toHaveLength(1);
});

test("where its contracts exceed the account's addresses a webhook becomes inactive, and a replay finds them", async () => {
  const webhook = await watch();
  const children = Array.from({ length: 4 }, freshAddress);
  for (const child of children) await send(calling(child));
  await world.followed();
  const full = { status: "inactive", statusReason: "address_quota_reached", addressCount: 3 };
  expect(await record(webhook.id)).toMatchObject(full);
  const { number } = await world.chain.head();
  await world.chain.transfer(children[3] ?? "");
  await world.followed();
  await world.pool.query("UPDATE accounts SET address_quota = 10");
  await inTransaction(world.pool, (db) => updateWebhook(db, 1, webhook.id, { status: "active" }));
  const range = { from: BigInt(number), to: BigInt(number + 1), includeEarlier: true };
  const { id } = await inTransaction(world.pool, (db) => createReplay(db, 1, webhook.id, range));
  await soon(
    async () => expect(await getReplay(world.pool, 1, webhook.id, id)).toMatchObject({ status: "done" }),
    20_000,
  );
  expect(await record(webhook.id)).toMatchObject({ status: "active", addressCount: 4 });
  // The transaction that created it is no activity of it.
  expect((await world.notified(webhook)).map(({ blockNumber }) => blockNumber)).toEqual([number + 1]);
});
