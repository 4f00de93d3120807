/** A chain on which few blocks have logs that count, and a follower of it: for histories that pass over the others. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from "vitest";
import type { NewWebhook } from "../../server/matching/new-webhook.ts";
import type { HistoryMode } from "../../server/store/chains/lanes.ts";
import { getWebhook, type Webhook } from "../../server/store/webhooks/webhooks.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain/chain-world.ts";
import { freshAddress, loggerCode } from "../chain/local-chain.ts";
import { standing } from "../chain/notified.ts";
import { type RpcCall, type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";

export const signature = `0x${"a1".repeat(32)}`;
export const otherSignature = `0x${"b2".repeat(32)}`;
export const contract = freshAddress();
export const otherContract = freshAddress();
export const party = freshAddress();
export const topicOf = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;

export let world: ChainWorld;

/** Starts the world for the tests of a file. Each finds a follower and a node that does nothing odd. */
export function useSparseWorld(): void {
  beforeAll(begin);
  afterAll(() => world.stop());
  beforeEach(async () => {
    // Seen once in CI, and so that a second attempt could not succeed: anvil answered nothing any more, as in foundry-rs/foundry#10452.
    if (!(await Promise.race([world.chain.head().catch(() => undefined), sleep(30_000, undefined, { ref: false })]))) {
      await world.stop();
      await begin();
    }
    world.proxy.answer = (_, forward) => forward();
    world.logged.length = 0;
    await world.start();
  });
}

async function begin(): Promise<void> {
  world = await startChainWorld({ chain: { finality: { confirmations: 8 } } });
  for (const address of [contract, otherContract]) await world.chain.rpc("anvil_setCode", [address, loggerCode]);
}

/** Has a contract emit a log, in a block of its own. */
export async function emit(address: string, topic0: string, topic1 = topicOf(freshAddress())): Promise<void> {
  const [from] = await world.chain.rpc<string[]>("eth_accounts");
  const data = `${topic0}${topic1.slice(2)}`;
  await world.chain.rpc("eth_sendTransaction", [{ from, to: address, data, gas: "0x186a0" }]);
  const { number } = await world.chain.head();
  await soon(async () => expect((await world.chain.head()).number).toBeGreaterThanOrEqual(number));
}

/** Blocks of which some have logs that count, some have logs that do not, and most have nothing. */
export async function mineSome(): Promise<void> {
  await world.chain.mine(20);
  await emit(contract, signature);
  await emit(contract, otherSignature, topicOf(party));
  await emit(otherContract, signature);
  await world.chain.mine(30);
  await emit(otherContract, signature, topicOf(party));
  await emit(party, signature, topicOf(party));
  await world.chain.mine(25);
}

export type EmittedLog = {
  address: string;
  topics: string[];
  transactionHash: string;
  blockHash: string;
  blockNumber: string;
};

/** What the chain has by its logs, found without a bloom. */
export async function expected(
  addresses: readonly string[],
  signatures: readonly string[],
  from: number,
): Promise<string[]> {
  const logs = await world.chain.rpc<EmittedLog[]>("eth_getLogs", [
    { fromBlock: `0x${from.toString(16)}`, toBlock: "latest" },
  ]);
  const found = logs.filter(
    ({ address, topics: [topic0 = "", ...others] }) =>
      signatures.includes(topic0) &&
      addresses.some((one) => one === address.toLowerCase() || others.includes(topicOf(one))),
  );
  return found.map(({ blockHash, transactionHash }) => `${blockHash} ${transactionHash}`);
}

type Mode = HistoryMode | "complete";

async function historyAt(from: number, mode: Mode) {
  const { hash } = await world.chain.rpc<{ hash: string }>("eth_getBlockByNumber", [
    `0x${(from - 1).toString(16)}`,
    false,
  ]);
  return { from, cursor: { number: from - 1, hash }, ...(mode !== "complete" && { mode }) };
}

/** The plain lane is at the chain's head. */
export const recorded = () => soon(async () => expect(await world.cursor()).toEqual(await world.chain.head()));

/** A webhook that starts in the past. */
export const watch = async (from: number, wanted: Partial<NewWebhook> = {}, mode: Mode = "headers") =>
  world.watch({
    addresses: [contract, party],
    eventSignatures: [signature],
    ...wanted,
    history: await historyAt(from, mode),
  });

/** The webhook is among the others. */
export const hasEnded = ({ id }: Webhook) =>
  soon(async () => expect((await getWebhook(world.pool, 1, id)).history).toBeUndefined());

/** Asserts that a webhook is notified of each log that counts, from a block on. */
export async function assertNotified(
  webhook: Webhook,
  from: number,
  addresses = [contract, party],
  signatures = [signature],
) {
  await hasEnded(webhook);
  await recorded();
  const stands = standing(await world.notified(webhook)).map(({ hash, blockHash }) => `${blockHash} ${hash}`);
  expect(stands).toEqual(await expected(addresses, signatures, from));
  expect(stands.length).toBeGreaterThan(0);
}

/** Something to wait for until it is opened. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Blocks that are final, and of which some have logs. @returns the first and the newest */
export async function mineFinal(): Promise<{ from: number; newest: number }> {
  const { number } = await world.chain.head();
  await mineSome();
  await mineSome();
  await world.chain.mine(10);
  await recorded();
  return { from: number + 1, newest: (await world.chain.head()).number };
}

export const byLogs = (from: number, wanted: Partial<NewWebhook> = {}) => watch(from, wanted, "logs");

/** What the follower logged of logs that were not believed. */
export const doubts = () => world.logged.filter(({ msg }) => /nodes do not agree on their logs/.test(String(msg)));

/** A second node of the chain, which can misbehave by itself. The follower is started again with both. */
export async function withSecondNode(): Promise<RpcProxy> {
  const second = await startRpcProxy(world.node.rpcUrl);
  onTestFinished(async () => {
    await world.halt();
    await second.close();
  });
  await world.halt();
  await world.start({ rpcUrls: [world.proxy.url, second.url] });
  return second;
}

type LogsFilter = { fromBlock: string; toBlock: string };
export const isLogs = ({ method }: RpcCall) => method === "eth_getLogs";
/** The first block that logs are asked of, and the last. */
export const rangeOf = ({ params: [filter] }: RpcCall): [number, number] => {
  const { fromBlock, toBlock } = filter as LogsFilter;
  return [Number(fromBlock), Number(toBlock)];
};
