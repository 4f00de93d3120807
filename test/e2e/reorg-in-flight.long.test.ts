/** A chain reorganises while its notifications are in flight: what was sent is retracted, and each arrives once, in order. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LocalChain, openChain } from "../chain/local-chain.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

const address = `0x${"f1".repeat(20)}`;
let world: World;
let chain: LocalChain;
beforeEach(async () => {
  world = await startWorld();
  chain = await openChain(world.node.rpcUrl);
  const metadata = { addresses: [address] };
  const body = { url: world.receiver.url, chainId: testChainId, eventType: "address_activity" as const, metadata };
  await world.client.createWebhook({ body });
});
afterEach(() => world.stop());

/** What arrived, in the order of its numbering: block and kind, such as `+1 +2 -2`. */
const reported = () =>
  world.receiver.deliveries
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(({ notification: { event } }) => `${event.removed ? "-" : "+"}${event.transaction.blockNumber}`)
    .join(" ");
const sequences = () => world.receiver.deliveries.map(({ sequence }) => sequence).sort((a, b) => a - b);

test("before the endpoint has answered any of them", async () => {
  const waiting: (() => void)[] = [];
  world.receiver.answer = (_, response) => void waiting.push(() => response.writeHead(204).end());
  await chain.transfers(address, 3);
  await world.receiver.waitFor(2);
  await chain.reorg(3, [{ to: address, at: 1 }]);
  const [{ id = "" } = {}] = (await world.client.listWebhooks()).webhooks;
  const recorded = async (status?: "delivered") =>
    (await world.client.listNotifications({ path: { id }, query: { ...(status && { status }) } })).notifications.length;
  await expect.poll(() => recorded()).toBe(7);
  expect(await recorded("delivered")).toBe(0);
  world.receiver.answer = (_, response) => response.writeHead(204).end();
  for (const answer of waiting) answer();
  await world.receiver.waitFor(7);
  expect(reported()).toBe("+1 +2 +3 -3 -2 -1 +2");
  expect(sequences()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await expect.poll(() => recorded("delivered")).toBe(7);
});

test("while the service is stopped, and before the endpoint has taken any of them", async () => {
  world.receiver.answer = (_, response) => response.writeHead(503).end();
  await chain.transfers(address, 2);
  await world.receiver.waitFor(2);
  await world.restart(async () => {
    world.receiver.deliveries.length = 0;
    world.receiver.answer = (_, response) => response.writeHead(204).end();
    await chain.reorg(2, [{ to: address, at: 0 }]);
  });
  // The retries of what is retracted come too, about ten seconds after the first attempt.
  await world.receiver.waitFor(5);
  expect(reported()).toBe("+1 +2 -2 -1 +1");
  expect(sequences()).toEqual([1, 2, 3, 4, 5]);
});
