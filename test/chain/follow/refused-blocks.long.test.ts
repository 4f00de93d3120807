/** A block that a node spoiled is never recorded. It is fetched again, from the next node. */
import { afterEach, expect, test } from "vitest";
import type { WireBlock, WireReceipt, WireTrace } from "../../../server/matching/wire.ts";
import { type RpcAnswer, startRpcProxy } from "../../support/rpc-proxy.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";

let world: ChainWorld;
afterEach(() => world.stop());

/** `method` is how its name starts: a node's head is fetched by hash, and other blocks by number. */
type Spoiled = { check: string; method: string; spoil: (result: unknown) => unknown };

const spoiledBlocks: [string, Spoiled][] = [
  [
    "another value in a transaction",
    {
      check: "transactionsRoot",
      method: "eth_getBlockBy",
      spoil: (block) => ({
        ...(block as WireBlock),
        transactions: (block as WireBlock).transactions.map((tx) =>
          typeof tx === "string" ? tx : { ...tx, value: "0x2" },
        ),
      }),
    },
  ],
  [
    "another time",
    {
      check: "headerHash",
      method: "eth_getBlockBy",
      spoil: (block) => ({ ...(block as WireBlock), timestamp: "0x1" }),
    },
  ],
  [
    "no transactions",
    {
      check: "transactionsRoot",
      method: "eth_getBlockBy",
      spoil: (block) => ({ ...(block as WireBlock), transactions: [] }),
    },
  ],
  [
    "a failure instead of a success",
    {
      check: "receiptsRoot",
      method: "eth_getBlockReceipts",
      spoil: (receipts) => (receipts as WireReceipt[]).map((receipt) => ({ ...receipt, status: "0x0" })),
    },
  ],
  [
    "a trace of something else",
    {
      check: "traces",
      method: "debug_traceBlockByHash",
      spoil: (traces) =>
        (traces as WireTrace[]).map(({ txHash, result }) => ({ txHash, result: { ...result, value: "0x2" } })),
    },
  ],
];

/** Spoils the node's responses, except its head. */
function spoilAnswers({ method: spoilt, spoil }: Spoiled): void {
  world.proxy.answer = async ({ method, params }, forward) => {
    const answer: RpcAnswer = await forward();
    const spoils = method.startsWith(spoilt) && params[1] !== false && typeof answer === "object" && "result" in answer;
    return spoils && answer.result ? { result: spoil(answer.result) } : answer;
  };
}

test.each(spoiledBlocks)("%s is refused, and the next node is used", async (_, spoiled) => {
  world = await startChainWorld();
  const address = freshAddress();
  const good = await startRpcProxy(world.node.rpcUrl);
  await world.start({ rpcUrls: [world.proxy.url, good.url] });
  await world.followed();
  const webhook = await world.watch({ addresses: [address], includeInternalTxs: true });
  spoilAnswers(spoiled);
  await world.chain.transfers(address, 2);
  await world.followed();
  await world.assertExact(webhook);
  const reasons = world.logged.map(({ reason }) => String(reason));
  expect(reasons.find((reason) => reason.includes(`(check ${spoiled.check})`))).toContain(` of ${world.proxy.url} `);
  for (const { event } of await world.notified(webhook))
    expect(event.transaction).toMatchObject({ value: "1", txStatus: "1" });
  await world.halt();
  await good.close();
});

test("a chain stopped by it reports the failing checks and how to turn them off, and names no node", async () => {
  world = await startChainWorld({ chain: { patienceMs: 1_000 } });
  await world.start();
  await world.followed();
  const [, spoiled] = spoiledBlocks[1] ?? [];
  if (spoiled) spoilAnswers(spoiled);
  await world.chain.mine(1);
  await soon(async () => expect(await world.stopped()).toContain("fails the check headerHash."));
  expect(await world.stopped()).toContain('add "checks": {"headerHash":"off"} to its configuration');
  expect(await world.stopped()).not.toContain("127.0.0.1");
});

test("while there is no other node nothing is recorded, until it is right again", async () => {
  world = await startChainWorld();
  const address = freshAddress();
  await world.start();
  await world.followed();
  const webhook = await world.watch({ addresses: [address], includeInternalTxs: true });
  const before = await world.cursor();
  for (const [, spoiled] of spoiledBlocks.slice(0, 2)) {
    spoilAnswers(spoiled);
    await world.chain.transfer(address);
    await soon(async () => expect(JSON.stringify(world.logged)).toContain(`(check ${spoiled.check})`));
    expect(await world.cursor()).toEqual(before);
  }
  world.proxy.answer = (_, forward) => forward();
  await world.followed();
  await world.assertExact(webhook);
});
