/** Histories that pass over blocks by their headers: they are notified of the same as any other, and read little else. */
import { expect, test } from "vitest";
import { inTransaction } from "../../server/store/pool.ts";
import { addAddresses } from "../../server/store/webhooks/addresses.ts";
import { updateWebhook } from "../../server/store/webhooks/changes.ts";
import { getWebhook } from "../../server/store/webhooks/webhooks.ts";
import { soon } from "../chain/chain-world.ts";
import { freshAddress } from "../chain/local-chain.ts";
import { standing } from "../chain/notified.ts";
import {
  assertNotified,
  contract,
  emit,
  expected,
  gate,
  hasEnded,
  mineSome,
  otherContract,
  otherSignature,
  party,
  recorded,
  signature,
  topicOf,
  useSparseWorld,
  watch,
  world,
} from "./sparse-world.ts";

useSparseWorld();

test("it is notified of what it would be notified of otherwise, in company, and most blocks are read by their headers", async () => {
  await mineSome();
  await mineSome();
  await recorded();
  world.proxy.calls.length = 0;
  const [one, two, whole, conditional, live] = [
    await watch(1),
    await watch(1, { addresses: [otherContract], eventSignatures: [signature, otherSignature] }),
    await watch(3, {}, "complete"),
    await watch(40, { options: { finality: "both", anyAddress: true }, addresses: [] }),
    await world.watch({ addresses: [contract], eventSignatures: [signature] }),
  ];
  await hasEnded(one);
  await hasEnded(two);
  await emit(contract, signature);
  await assertNotified(one, 1);
  await assertNotified(two, 1, [otherContract], [signature, otherSignature]);
  await assertNotified(whole, 3);
  await assertNotified(live, Number(live.effectiveFromBlock), [contract]);
  await hasEnded(conditional);
  const finals = (await world.notified(conditional)).filter(({ event }) => !event.finalized);
  const anywhere = await expected([contract, otherContract, party], [signature], 40);
  expect(finals.map(({ transactionHash, blockHash }) => `${blockHash} ${transactionHash}`)).toEqual(anywhere);
});

test("of blocks whose bloom denies all that is looked for, nothing but the header is asked for", async () => {
  await mineSome();
  await recorded();
  world.proxy.calls.length = 0;
  const webhook = await watch(1, { addresses: [freshAddress(), contract] });
  expect(webhook.history).toMatchObject({ mode: "headers" });
  await hasEnded(webhook);
  await assertNotified(webhook, 1, [contract]);
  const { number } = await world.chain.head();
  expect(world.proxy.count("eth_getBlockReceipts")).toBeLessThan(number / 4);
});

/** Holds back what a node returns of the blocks from this one on, until it is called. */
function holdFrom(block: number): () => void {
  const { opened, open } = gate();
  world.proxy.answer = async ({ method, params: [number] }, forward) => {
    if (method === "eth_getBlockByNumber" && Number(number) >= block) await opened;
    return forward();
  };
  return open;
}

test("addresses added meanwhile, a webhook that comes to the lane and one that wants traces from now on miss nothing", async () => {
  await mineSome();
  await recorded();
  await world.halt();
  const [added, leaving] = [await watch(1, { addresses: [contract] }), await watch(1, { addresses: [party] })];
  await world.start();
  const [asked, release] = [gate(), gate()];
  world.proxy.answer = async ({ method, params: [number, whole] }, forward) => {
    if (method === "eth_getBlockByNumber" && number === "0x5" && whole === false) {
      asked.open();
      await release.opened;
    }
    return forward();
  };
  await asked.opened;
  // Its blocks are being read for the others.
  const late = await watch(1, { addresses: [otherContract] });
  const change = await inTransaction(world.pool, (db) => addAddresses(db, 1, added.id, [otherContract]));
  await inTransaction(world.pool, (db) => updateWebhook(db, 1, leaving.id, { includeInternalTxs: true }));
  await emit(otherContract, signature);
  await emit(party, signature);
  release.open();
  await assertNotified(late, 1, [otherContract]);
  await assertNotified(leaving, 1, [party]);
  await hasEnded(added);
  await recorded();
  const of = async (addresses: string[], from: number) => expected(addresses, [signature], from);
  const later = new Set(await of([contract, otherContract], change.firstBlock));
  const both = (await of([contract, otherContract], 1)).filter((one) => later.has(one));
  const own = (await of([contract], 1)).filter((one) => !later.has(one));
  const stands = standing(await world.notified(added)).map(({ hash, blockHash }) => `${blockHash} ${hash}`);
  expect(stands).toEqual([...own, ...both]);
  expect(both.length).toBeGreaterThan(0);
});

test("a node that leaves bits out of a header's bloom hides nothing", async () => {
  await mineSome();
  await recorded();
  world.proxy.answer = async ({ params: [, whole] }, forward) => {
    const answer = await forward();
    if (typeof answer !== "object" || !("result" in answer) || whole !== false) return answer;
    const result = answer.result as { logsBloom?: string } | null;
    return result?.logsBloom ? { result: { ...result, logsBloom: `0x${"0".repeat(512)}` } } : answer;
  };
  await assertNotified(await watch(1), 1);
});

test("blocks that left the chain are retracted, and those that came are read", async () => {
  await mineSome();
  await recorded();
  const { number } = await world.chain.head();
  const release = holdFrom(number - 2);
  const webhook = await watch(1);
  await soon(async () => expect((await world.notified(webhook)).length).toBeGreaterThan(2));
  await world.chain.reorg(4, [{ to: contract, at: 1, data: `${signature}${topicOf(party).slice(2)}` }]);
  release();
  await world.chain.mine(10);
  await assertNotified(webhook, 1);
});

test("where most blocks may match, they are read whole, and the record says so", async () => {
  for (let block = 0; block < 140; block += 1) await emit(contract, signature);
  await world.chain.mine(30);
  await recorded();
  const { number } = await world.chain.head();
  const from = number - 168;
  const release = holdFrom(number - 10);
  const webhook = await watch(from);
  const read = async () => (await getWebhook(world.pool, 1, webhook.id)).history;
  expect(await read()).toMatchObject({ mode: "headers" });
  await soon(async () => expect(await read()).toMatchObject({ mode: "complete" }));
  release();
  await assertNotified(webhook, from);
});

test("a webhook that watches more than a bloom can tell has its blocks read whole", async () => {
  await mineSome();
  await recorded();
  const { number } = await world.chain.head();
  const release = holdFrom(number - 5);
  const many = Array.from({ length: 2_001 }, () => freshAddress());
  const webhook = await watch(1, { addresses: [contract, ...many] });
  const read = async () => (await getWebhook(world.pool, 1, webhook.id)).history;
  await soon(async () => expect(await read()).toMatchObject({ mode: "complete" }));
  release();
  await assertNotified(webhook, 1, [contract]);
});
