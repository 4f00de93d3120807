/** Blocks with thousands of matches: the answer is bounded and says how many there are, and following does not wait for it. */
import { createTestClient, createWalletClient, defineChain, http, pad } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebhooksError } from "../../client/index.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Emits a log 500 times: PUSH2 500, JUMPDEST, PUSH1 0, PUSH1 0, LOG0, PUSH1 1, SWAP1, SUB, DUP1, PUSH1 3, JUMPI. */
const emitting = "0x6101f45b60006000a0600190038060035700" as const;

test("a block with 20,000 logs is answered in part, and following goes on while many ask for it", async () => {
  const { rpcUrl } = world.node;
  const anvil = createTestClient({ mode: "anvil", transport: http(rpcUrl) });
  const account = mnemonicToAccount("test test test test test test test test test test test junk");
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  const chain = defineChain({
    id: Number(testChainId),
    name: "t",
    nativeCurrency,
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const sender = createWalletClient({ account, chain, transport: http(rpcUrl) });
  const emitter = pad("0xe417", { size: 20 });
  await anvil.setCode({ address: emitter, bytecode: emitting });
  await anvil.setBlockGasLimit({ gasLimit: 100_000_000n });
  await anvil.setAutomine(false);
  for (let sent = 0; sent < 40; sent += 1) await sender.sendTransaction({ to: emitter, gas: 1_000_000n });
  await anvil.mine({ blocks: 1 });
  await anvil.setAutomine(true);
  const { blockNumber } = await world.wallet.send(pad("0x1", { size: 20 }), 1n);
  await world.followed(blockNumber);

  const body = {
    ...{ chainId: testChainId, blockNumber: String(blockNumber - 1n) },
    metadata: { addresses: [emitter], includeLogs: true },
  };
  // On a busy machine the block may not be read within a question's deadline.
  const first = await eventually(() => world.client.previewWebhook({ body }));
  expect(first).toMatchObject({ transactionCount: 40, matchCount: 40 });
  expect(first.transactions.length).toBeGreaterThan(0);
  expect(first.transactions.length).toBeLessThanOrEqual(20);
  expect(JSON.stringify(first).length).toBeLessThan(2_500_000);
  expect(first.transactions[0]).toMatchObject({ partCount: 501, matches: true });
  expect(first.transactions[0]?.parts).toHaveLength(20);

  const asking = { on: true };
  const statuses: number[] = [];
  const flood = Array.from({ length: 10 }, async () => {
    while (asking.on) {
      const error = await world.client.previewWebhook({ body }).catch((thrown: unknown) => thrown);
      statuses.push(error instanceof WebhooksError ? (error.status ?? 0) : 200);
    }
  });
  const delays: number[] = [];
  for (let block = 0; block < 20; block += 1) {
    const sent = await world.wallet.send(pad("0x2", { size: 20 }), 1n);
    const startedAt = performance.now();
    await world.followed(sent.blockNumber);
    delays.push(performance.now() - startedAt);
  }
  asking.on = false;
  await Promise.all(flood);
  delays.sort((a, b) => a - b);
  // Of ten at once a busy machine may answer none within a question's deadline. Each hears so, and the next one afterwards is answered.
  expect(statuses.filter((status) => ![200, 502, 503].includes(status))).toEqual([]);
  expect(await eventually(() => world.client.previewWebhook({ body }))).toMatchObject({ matchCount: 40 });
  // Under load, a block takes a second; a block that waited for previews would take as long as all of them.
  expect(delays[10]).toBeLessThan(5_000);
});
