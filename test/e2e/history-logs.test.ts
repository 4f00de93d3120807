/** Histories by the logs that nodes return: they are notified of the same as any other, and only blocks with such logs are read whole. */
import { expect, test } from "vitest";
import { getWebhook } from "../../server/store/webhooks/webhooks.ts";
import { soon } from "../chain/chain-world.ts";
import {
  assertNotified,
  byLogs,
  contract,
  doubts,
  emit,
  expected,
  gate,
  hasEnded,
  isLogs,
  mineFinal,
  otherContract,
  otherSignature,
  party,
  rangeOf,
  signature,
  topicOf,
  useSparseWorld,
  withSecondNode,
  world,
} from "./sparse-world.ts";

useSparseWorld();

test("it is notified of what it would be notified of otherwise, in company, and only blocks with such logs are read whole", async () => {
  const { from, newest: number } = await mineFinal();
  world.proxy.calls.length = 0;
  const [one, two, conditional] = [
    await byLogs(from),
    await byLogs(from, { addresses: [otherContract], eventSignatures: [signature, otherSignature] }),
    await byLogs(from + 39, { options: { finality: "both", anyAddress: true }, addresses: [] }),
  ];
  expect(one.history).toMatchObject({ mode: "logs" });
  expect(one.history?.nodesAgreed).toBeUndefined();
  for (const webhook of [one, two, conditional]) await hasEnded(webhook);
  const logsFound = new Set(
    (await expected([contract, otherContract, party], [signature, otherSignature], from)).map((of) => of.slice(0, 66)),
  );
  // Those that may still be replaced are read whole by each of two lanes.
  expect(world.proxy.count("eth_getBlockByHash")).toBeLessThan(3 * logsFound.size + 100);
  const headers = world.proxy.calls.filter(
    ({ method, params }) =>
      method === "eth_getBlockByNumber" && Number(params[0]) >= from && Number(params[0]) < number - 20,
  );
  expect(headers.length).toBeLessThan((number - from) / 4);
  await emit(contract, signature);
  await assertNotified(one, from);
  await assertNotified(two, from, [otherContract], [signature, otherSignature]);
  await hasEnded(conditional);
  const finals = (await world.notified(conditional)).filter(({ event }) => !event.finalized);
  const anywhere = await expected([contract, otherContract, party], [signature], from + 39);
  expect(finals.map(({ transactionHash, blockHash }) => `${blockHash} ${transactionHash}`)).toEqual(anywhere);
  expect(doubts()).toEqual([]);
});

test.each([1, 2])("the record says how many of %i nodes agreed, while blocks are passed over", async (count) => {
  if (count === 2) await withSecondNode();
  const { from } = await mineFinal();
  const { opened, open } = gate();
  world.proxy.answer = async (call, forward) => {
    if (!isLogs(call)) return forward();
    const [first, last] = rangeOf(call);
    if (last - first > 60) return { error: { code: -32602, message: "at most 60 blocks" } };
    if (first > from) await opened;
    return forward();
  };
  const webhook = await byLogs(from);
  await soon(async () => {
    const { history } = await getWebhook(world.pool, 1, webhook.id);
    expect(history).toMatchObject({ mode: "logs", nodesAgreed: count });
    expect(Number(history?.nextBlock)).toBeGreaterThan(from);
  });
  open();
  await assertNotified(webhook, from);
});

test("blocks that can still be replaced are read whole, and retracted with what they had", async () => {
  const { from, newest: number } = await mineFinal();
  const asked: number[] = [];
  world.proxy.answer = (call, forward) => {
    if (isLogs(call)) asked.push(rangeOf(call)[1]);
    return forward();
  };
  await emit(contract, signature);
  const webhook = await byLogs(from);
  await soon(async () => expect((await world.notified(webhook)).length).toBeGreaterThan(2));
  await world.chain.reorg(4, [{ to: contract, at: 1, data: `${signature}${topicOf(party).slice(2)}` }]);
  await world.chain.mine(10);
  await assertNotified(webhook, from);
  expect(Math.max(...asked)).toBeLessThanOrEqual(number + 1 - 8 + 10);
  expect(Math.min(...asked)).toBeLessThanOrEqual(number + 1 - 8);
});
