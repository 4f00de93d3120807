/** The blocks of a real node, which serializes by code of its own, pass all checks, whatever transactions they have. */
import { createWalletClient, defineChain, http } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EvmNode, startEvmNode } from "../../../scripts/local/evm-node.ts";
import { checkBundle } from "../../../server/chain/check/accept.ts";
import type { BlockBundle } from "../../../server/matching/wire.ts";
import { profileOf } from "../../../server/settings/chain-profiles.ts";
import { type LocalChain, openChain } from "../local-chain.ts";

let node: EvmNode;
let chain: LocalChain;
beforeAll(async () => {
  node = await startEvmNode();
  chain = await openChain(node.rpcUrl);
});
afterAll(() => node.stop());

async function newest(traces: boolean): Promise<BlockBundle> {
  const block = await chain.rpc<BlockBundle["block"]>("eth_getBlockByNumber", ["latest", true]);
  const receipts = await chain.rpc<BlockBundle["receipts"]>("eth_getBlockReceipts", [block.number]);
  if (!traces) return { block, receipts };
  const options = { tracer: "callTracer" };
  return { block, receipts, traces: await chain.rpc("debug_traceBlockByNumber", [block.number, options]) };
}

/** Except for the gas of traces, which anvil counts in a way of its own for creations. */
const profile = profileOf("43112");
const passes = async (traces = true) => expect(checkBundle(await newest(traces), profile, "anvil")).toEqual([]);

test("of every type that a wallet signs, a creation and a failure among them", async () => {
  const account = mnemonicToAccount("test test test test test test test test test test test junk");
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  const local = defineChain({
    id: 43112,
    name: "local",
    nativeCurrency,
    rpcUrls: { default: { http: [node.rpcUrl] } },
  });
  const wallet = createWalletClient({ account, chain: local, transport: http(node.rpcUrl) });
  const to = `0x${"ab".repeat(20)}` as const;
  const accessList = [{ address: to, storageKeys: [`0x${"01".repeat(32)}` as const] }];
  await chain.rpc("evm_setAutomine", [false]);
  const nonce = Number(await chain.rpc<string>("eth_getTransactionCount", [account.address, "latest"]));
  const signed = await wallet.signAuthorization({ contractAddress: to, executor: "self", nonce: nonce + 6 });
  const gas = 200_000n;
  await wallet.sendTransaction({ type: "legacy", to, value: 1n, gas, nonce });
  await wallet.sendTransaction({ type: "eip2930", to, accessList, gas, nonce: nonce + 1 });
  await wallet.sendTransaction({ type: "eip1559", to, accessList, value: 2n, gas, nonce: nonce + 2 });
  await wallet.sendTransaction({ data: "0x6001600055600a600a600a600aa2", gas, nonce: nonce + 3 });
  await wallet.sendTransaction({ data: "0xfe", gas, nonce: nonce + 4 });
  await wallet.sendTransaction({ type: "eip7702", to, authorizationList: [signed], gas, nonce: nonce + 5 });
  await chain.mine();
  await chain.rpc("evm_setAutomine", [true]);
  const { block, receipts } = await newest(false);
  expect(block.transactions.map(({ type }) => Number(type))).toEqual([0, 1, 2, 2, 2, 4]);
  expect(receipts.map(({ status }) => Number(status))).toEqual([1, 1, 1, 1, 0, 1]);
  await passes();
});

test.each([0, 1, 127, 128, 129, 300])("%i in a block", async (count) => {
  const [from] = await chain.rpc<string[]>("eth_accounts");
  await chain.rpc("evm_setAutomine", [false]);
  for (let value = 0; value < count; value += 1)
    await chain.rpc("eth_sendTransaction", [{ from, to: from, value: `0x${value.toString(16)}`, gas: "0x5208" }]);
  await chain.mine();
  await chain.rpc("evm_setAutomine", [true]);
  expect((await newest(false)).block.transactions).toHaveLength(count);
  await passes(count < 2);
});
