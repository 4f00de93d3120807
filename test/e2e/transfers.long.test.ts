/** Transfers on a real chain, of OpenZeppelin's tokens and of contracts that attack whoever asks for their names. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pino } from "pino";
import { type Address, encodeFunctionData, type Hex, pad, parseAbi, toHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { multicall3 } from "../../server/chain/tokens/multicall.ts";
import { type Behaviour, madeToken, numberAnswer, stringAnswer, wordAnswer } from "../support/made-token.ts";
import type { Delivered } from "../support/receiver.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

const zeroAddress = `0x${"0".repeat(40)}`;
const lines: string[] = [];
let world: World;
beforeAll(async () => {
  world = await startWorld({ log: pino({ level: "debug" }, { write: (line: string) => void lines.push(line) }) });
});
afterAll(() => world.stop());

let next = 0x2000n;
const freshAddress = () => pad(toHex(next++), { size: 20 });
const rpc = async (method: string, ...params: unknown[]) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(world.node.rpcUrl, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
  return ((await response.json()) as { result: Hex }).result;
};

async function watch(addresses: string[], more: { includeInternalTxs?: boolean; includeTransfers?: boolean } = {}) {
  const path = `/${crypto.randomUUID()}`;
  const metadata = { addresses, includeTransfers: true, ...more };
  const body = {
    url: world.receiver.url + path,
    chainId: testChainId,
    eventType: "address_activity" as const,
    metadata,
  };
  const { id, metadata: shown } = await world.client.createWebhook({ body });
  const notified = (count: number) => world.receiver.waitFor(count, (delivered) => delivered.path === path);
  return { id, shown, notified };
}

const transaction = (delivered: Delivered | undefined) => {
  if (!delivered) throw new Error("nothing was delivered");
  return delivered.notification.event.transaction;
};

/** The call by which a made token is minted. */
const mintData = (holder: Address, value = 1_500_000n) =>
  encodeFunctionData({ abi: parseAbi(["function mint(address to, uint256 value)"]), args: [holder, value] });

/** Waits until these contracts were read. Beside other work, the notification that needed them may not have waited long enough. */
async function read(...contracts: Address[]): Promise<void> {
  const addresses = contracts.map((contract) => Buffer.from(contract.slice(2), "hex"));
  const text = "SELECT FROM tokens WHERE address = ANY($1)";
  const count = async () => (await world.service.database.pool.query(text, [addresses])).rowCount;
  await expect.poll(count).toBe(contracts.length);
}

/** Makes the service read a made token. */
async function introduce(token: Address): Promise<void> {
  const holder = freshAddress();
  await watch([holder]);
  await world.wallet.send(token, 0n, mintData(holder));
  await read(token);
}

test("a webhook without the option has none of the lists", async () => {
  const holder = freshAddress();
  const webhook = await watch([holder], { includeTransfers: false });
  await world.wallet.send(holder, 1n);
  const [delivered] = await webhook.notified(1);
  expect(webhook.shown).not.toHaveProperty("includeTransfers");
  expect(Object.keys(transaction(delivered)).filter((field) => field.endsWith("Transfers"))).toEqual([]);
});

test("tokens of each standard are told apart, with their names and exact amounts", async () => {
  const { wallet } = world;
  const holder = freshAddress();
  const coin = await wallet.deploy("ERC20PresetFixedSupply", ["Coin", "CN", 10n ** 30n, wallet.address]);
  const cards = await wallet.deploy("ERC721PresetMinterPauserAutoId", ["Cards", "CRD", "https://example.com/"]);
  const items = await wallet.deploy("ERC1155PresetMinterPauser", ["https://example.com/"]);
  const first = freshAddress();
  await watch([first]);
  await wallet.call(coin, "transfer", [first, 1n]);
  await wallet.call(cards, "mint", [first]);
  await wallet.call(items, "mint", [first, 1n, 1n, "0x"]);
  await read(coin.address, cards.address, items.address);
  const webhook = await watch([holder]);
  expect(webhook.shown.includeTransfers).toBe(true);
  await wallet.call(coin, "transfer", [holder, 1_000_000_000_000_000_001n]);
  await wallet.call(cards, "mint", [holder]);
  await wallet.call(items, "mintBatch", [holder, [7n, 8n], [100n, 0n], "0x"]);
  await wallet.send(holder, 5n);

  const [fungible, single, batch, native] = (await webhook.notified(4)).map(transaction);
  const lists = { erc20Transfers: [], erc721Transfers: [], erc1155Transfers: [], nativeTransfers: [] };
  const of = ({ txHash: transactionHash, blockTimestamp }: { txHash: string; blockTimestamp: number }) => ({
    transactionHash,
    blockTimestamp,
  });
  if (!fungible || !single || !batch || !native) throw new Error("some were not delivered");
  const sender = wallet.address.toLowerCase();
  const lower = ({ address }: { address: Address }) => address.toLowerCase();
  const moved = { type: "ERC20", from: sender, to: holder, value: "1000000000000000001", logIndex: 0 };
  const coinToken = { address: lower(coin), name: "Coin", symbol: "CN", decimals: 18 };
  expect(fungible).toMatchObject({
    ...lists,
    erc20Transfers: [
      { ...of(fungible), ...moved, erc20Token: { ...coinToken, valueWithDecimals: "1.000000000000000001" } },
    ],
  });
  const none = { decimals: null, valueWithDecimals: null };
  expect(single).toMatchObject({
    ...lists,
    erc721Transfers: [
      {
        ...of(single),
        ...{ type: "ERC721", from: zeroAddress, to: holder, value: "1", tokenId: "1", logIndex: 0 },
        erc721Token: { address: lower(cards), name: "Cards", symbol: "CRD", ...none },
      },
    ],
  });
  const minted = { ...of(batch), type: "ERC1155", from: zeroAddress, to: holder, logIndex: 0 };
  const erc1155Token = { address: lower(items), name: null, symbol: null, ...none };
  expect(batch).toMatchObject({
    ...lists,
    erc1155Transfers: [
      { ...minted, tokenId: "7", value: "100", erc1155Token },
      { ...minted, tokenId: "8", value: "0", erc1155Token },
    ],
  });
  expect(native).toMatchObject({
    ...lists,
    nativeTransfers: [{ ...of(native), type: "NATIVE", from: sender, to: holder, value: "5" }],
  });
});

const rudely: Behaviour = { reverts: `0x08c379a0${stringAnswer("\u001b[2Jgone\u202e\u0000\u2028").slice(2)}` };

type Attack = { what: string; name: Behaviour; symbol: Behaviour; decimals: Behaviour; read: object };
const nothing = { name: null, symbol: null, decimals: null, valueWithDecimals: null };

/** What contracts answer, and what is read of it. */
const attacks: Attack[] = [
  {
    what: "bytes32, as old tokens have it",
    ...{ name: { returns: wordAnswer("Maker") }, symbol: { returns: wordAnswer("MKR") } },
    decimals: { returns: numberAnswer(18) },
    read: { name: "Maker", symbol: "MKR", decimals: 18, valueWithDecimals: "0.0000000000015" },
  },
  {
    what: "reverts, with text that acts on a terminal",
    ...{ name: rudely, symbol: rudely, decimals: rudely },
    read: nothing,
  },
  {
    what: "loops that burn all gas",
    ...{ name: "burns all gas", symbol: "burns all gas", decimals: "burns all gas" },
    read: nothing,
  },
  {
    what: "five megabytes",
    ...{ name: { returnsZeros: 5_000_000 }, symbol: { returnsZeros: 5_000_000 } },
    decimals: { returns: numberAnswer(6) },
    read: { name: null, symbol: null, decimals: 6, valueWithDecimals: "1.5" },
  },
  {
    what: "control characters and marks of direction",
    name: { returns: stringAnswer("\u001b[31mred\u0000\u202etxt.exe\u2028") },
    symbol: { returns: stringAnswer("</script>\r\n") },
    decimals: { returns: numberAnswer(0) },
    read: { name: "[31mredtxt.exe", symbol: "</script>", decimals: 0, valueWithDecimals: "1500000" },
  },
  {
    what: "calls of itself",
    ...{ name: "re-enters", symbol: "re-enters", decimals: "re-enters" },
    read: {},
  },
  {
    what: "numbers that are none",
    ...{ name: { returns: numberAnswer(2n ** 256n - 1n) }, symbol: { returns: "0x" } },
    decimals: { returns: numberAnswer(2n ** 255n) },
    read: { symbol: null, decimals: null, valueWithDecimals: null },
  },
];

/** How long a block takes until it is recorded, in ms. */
async function recordedAfter(transact: () => Promise<{ blockNumber: bigint }>): Promise<number> {
  const { blockNumber } = await transact();
  const from = performance.now();
  await world.followed(blockNumber);
  return performance.now() - from;
}

test.each(attacks)("a contract that answers with $what delays nothing", async ({ read: expected, ...behaviours }) => {
  const { name, symbol, decimals } = behaviours;
  const lateness: number[] = [];
  // Beside other work, any block can take a second.
  while (lateness.length < 3 && !lateness.some((ms) => ms < 1_000)) {
    const token = await world.wallet.deployCode(madeToken({ name, symbol, decimals }));
    const holder = freshAddress();
    const webhook = await watch([holder]);
    const usual = await recordedAfter(() => world.wallet.send(freshAddress(), 1n));
    lateness.push((await recordedAfter(() => world.wallet.send(token, 0n, mintData(holder)))) - usual);
    await read(token);
    await world.wallet.send(token, 0n, mintData(holder));
    const [, delivered] = await webhook.notified(2);
    const [transfer, ...others] = transaction(delivered).erc20Transfers ?? [];
    expect(others).toEqual([]);
    expect(transfer).toMatchObject({ from: zeroAddress, to: holder, value: "1500000", erc20Token: expected });
    expect(transfer?.erc20Token.address).toBe(token.toLowerCase());
  }
  expect(Math.min(...lateness)).toBeLessThan(1_000);
});

test("what attacked is remembered, and not asked again", async () => {
  const { rows } = await world.service.database.pool.query(
    "SELECT count(*)::int AS read, count(*) FILTER (WHERE name IS NULL AND symbol IS NULL AND decimals IS NULL)::int AS empty FROM tokens",
  );
  expect(rows[0].read).toBeGreaterThanOrEqual(9);
  expect(rows[0].empty).toBeGreaterThanOrEqual(3);
});

test("many new tokens of one transaction are read together, and one that attacks does not harm the others", async () => {
  const viem = createRequire(import.meta.url).resolve("viem");
  const constants = readFileSync(join(viem, "../../_esm/constants/contracts.js"), "utf8");
  const creation = /multicall3Bytecode = '(0x[0-9a-f]+)'/.exec(constants)?.[1];
  const code = await rpc("eth_call", { data: creation }, "latest");
  await rpc("anvil_setCode", multicall3, code);
  const good = Array.from({ length: 8 }, (_, index) =>
    madeToken({
      name: { returns: stringAnswer(`Token ${index}`) },
      symbol: { returns: stringAnswer(`T${index}`) },
      decimals: { returns: numberAnswer(index) },
    }),
  );
  const bad = madeToken({ name: "burns all gas", symbol: "re-enters", decimals: { returnsZeros: 5_000_000 } });
  const tokens: Address[] = [];
  for (const each of [bad, ...good]) tokens.push(await world.wallet.deployCode(each));
  const mintAll = async (holder: Address) => {
    await rpc("evm_setAutomine", false);
    for (const to of tokens)
      await rpc("eth_sendTransaction", { from: world.wallet.address, to, data: mintData(holder) });
    await rpc("evm_mine");
    await rpc("evm_setAutomine", true);
  };
  const [first, holder] = [freshAddress(), freshAddress()];
  await watch([first]);
  await mintAll(first);
  await read(...tokens);
  const webhook = await watch([holder]);
  await mintAll(holder);
  const delivered = await webhook.notified(tokens.length);
  const inOrder = delivered.toSorted((a, b) => a.sequence - b.sequence);
  const moved = inOrder.flatMap((each) => transaction(each).erc20Transfers ?? []);
  expect(moved.map(({ erc20Token }) => [erc20Token.name, erc20Token.symbol, erc20Token.decimals])).toEqual([
    [null, expect.toBeOneOf([null, expect.any(String)]), null],
    ...good.map((_, index) => [`Token ${index}`, `T${index}`, index]),
  ]);
});

test("a retraction and a resend say what the notification said", async () => {
  const token = await world.wallet.deployCode(
    madeToken({ name: { returns: stringAnswer("First") }, symbol: { returns: stringAnswer("ONE") } }),
  );
  await introduce(token);
  const holder = freshAddress();
  const webhook = await watch([holder]);
  const snapshot = await rpc("evm_snapshot");
  await world.wallet.send(token, 0n, mintData(holder));
  const [first] = await webhook.notified(1);
  await world.service.database.pool.query("UPDATE tokens SET name = 'Another'");
  const path = { id: webhook.id, messageId: first?.notification.messageId ?? "" };
  // Until its first attempt is on record, a resend would change nothing.
  const status = async () => (await world.client.getNotification({ path })).status;
  await expect.poll(status).toBe("delivered");
  await world.client.resendNotification({ path });
  const [, resent] = await webhook.notified(2);
  await rpc("evm_revert", snapshot);
  for (const _ of [1, 2, 3]) await rpc("evm_mine");
  const [, , retraction] = await webhook.notified(3);
  expect(resent?.rawBody).toBe(first?.rawBody);
  expect(retraction?.notification.event).toEqual({ ...first?.notification.event, removed: true });
  expect(transaction(retraction).erc20Transfers?.[0]?.erc20Token).toMatchObject({ name: "First", decimals: null });
});

test("nothing in the log is unescaped", () => {
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) {
    expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(line).not.toMatch(/gone|txt\.exe/);
  }
});
