/** What happens on a real chain arrives as the specification says, for each kind of activity. */

import { Webhook } from "standardwebhooks";
import { getContractAddress, pad } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DeployedContract } from "../../scripts/local/wallet.ts";
import { openWallet, transferSignature } from "../../scripts/local/wallet.ts";
import type { Delivered } from "../support/receiver.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

const transferSingleSignature = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
const zeroAddress = `0x${"0".repeat(40)}`;
// Fresh addresses, so that tests in one world do not see each other's activity.
let next = 0x1000n;
const freshAddress = () => pad(`0x${(next++).toString(16)}`, { size: 20 });

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

type Watch = { addresses: string[]; eventSignatures?: string[]; includeLogs?: boolean; includeInternalTxs?: boolean };

async function watch(metadata: Watch): Promise<{ id: string; notified: (count: number) => Promise<Delivered[]> }> {
  const path = `/${crypto.randomUUID()}`;
  const body = {
    url: world.receiver.url + path,
    chainId: testChainId,
    eventType: "address_activity" as const,
    metadata,
  };
  const { id } = await world.client.createWebhook({ body });
  return { id, notified: (count) => world.receiver.waitFor(count, (delivered) => delivered.path === path) };
}

test("an ERC-721 webhook with the Transfer signature is notified of mint and transfer, with all logs", async () => {
  const nft = await world.wallet.deploy("ERC721PresetMinterPauserAutoId", ["Cards", "CRD", "https://example.com/"]);
  const webhook = await watch({ addresses: [nft.address], eventSignatures: [transferSignature], includeLogs: true });
  const to = freshAddress();
  await world.wallet.call(nft, "mint", [world.wallet.address]);
  const transfer = await world.wallet.call(nft, "transferFrom", [world.wallet.address, to, 0n]);

  const [minted, moved] = await webhook.notified(2);
  expect([minted?.sequence, moved?.sequence]).toEqual([1, 2]);
  const { event, webhookId, eventType } = moved?.notification ?? {};
  expect({ webhookId, eventType }).toEqual({ webhookId: webhook.id, eventType: "address_activity" });
  expect(event?.transaction).toMatchObject({
    txHash: transfer.transactionHash,
    blockHash: transfer.blockHash,
    blockNumber: String(transfer.blockNumber),
    txStatus: "1",
    chainId: testChainId,
    to: nft.address.toLowerCase(),
    contractAddress: zeroAddress,
    value: "0",
  });
  expect(event?.transaction.internalTransactions).toBeUndefined();
  expect(event?.logs).toMatchObject([
    {
      address: nft.address.toLowerCase(),
      topic0: transferSignature,
      topic1: pad(world.wallet.address, { size: 32 }).toLowerCase(),
      topic2: pad(to, { size: 32 }),
      topic3: pad("0x0", { size: 32 }),
      data: "0x",
      logIndex: 0,
      removed: false,
    },
  ]);
});

test("an ERC-20 transfer reaches a wallet that is only an indexed argument", async () => {
  const token = await world.wallet.deploy("ERC20PresetFixedSupply", ["Coin", "CN", 1_000_000n, world.wallet.address]);
  const holder = freshAddress();
  const byWallet = await watch({ addresses: [holder], includeLogs: true });
  const bySignature = await watch({ addresses: [holder], eventSignatures: [transferSignature] });
  const receipt = await world.wallet.call(token, "transfer", [holder, 25n]);

  const [delivered] = await byWallet.notified(1);
  expect(delivered?.notification.event.transaction.txHash).toBe(receipt.transactionHash);
  expect(delivered?.notification.event.logs).toMatchObject([
    { topic2: pad(holder, { size: 32 }), topic3: null, data: pad("0x19", { size: 32 }) },
  ]);
  const [signed] = await bySignature.notified(1);
  expect(signed?.notification.event.logs).toBeUndefined();
});

test("an ERC-1155 transfer matches by its own signature and not by that of ERC-20", async () => {
  const items = await world.wallet.deploy("ERC1155PresetMinterPauser", ["https://example.com/{id}"]);
  const wrong = await watch({ addresses: [items.address], eventSignatures: [transferSignature] });
  const right = await watch({
    addresses: [items.address],
    eventSignatures: [transferSingleSignature],
    includeLogs: true,
  });
  const to = freshAddress();
  await world.wallet.call(items, "mint", [world.wallet.address, 7n, 3n, "0x"]);
  const moved = await world.wallet.call(items, "safeTransferFrom", [world.wallet.address, to, 7n, 1n, "0x"]);

  const [, second] = await right.notified(2);
  expect(second?.notification.event.transaction.txHash).toBe(moved.transactionHash);
  expect(second?.notification.event.logs?.[0]?.topic3).toBe(pad(to, { size: 32 }));
  await world.followed(moved.blockNumber);
  expect(world.receiver.deliveries.filter(({ notification }) => notification.webhookId === wrong.id)).toEqual([]);
});

test("a plain transfer of value is notified to sender and receiver, each once", async () => {
  const to = freshAddress();
  const receiving = await watch({ addresses: [to, world.wallet.address] });
  const receipt = await world.wallet.send(to, 12_345_678_901_234_567_890n);

  const [delivered] = await receiving.notified(1);
  expect(delivered?.notification.event.transaction).toMatchObject({
    from: world.wallet.address.toLowerCase(),
    to,
    value: "12345678901234567890",
    gas: "21000",
    input: "0x",
    receiptGasUsed: String(receipt.gasUsed),
  });
  await world.wallet.send(freshAddress(), 1n);
  expect((await receiving.notified(2)).map(({ notification }) => notification.event.transaction.txHash)[0]).toBe(
    receipt.transactionHash,
  );
});

test("a contract creation notifies a webhook that watched the address before it existed", async () => {
  const deployer = await openWallet(world.node.rpcUrl, 5);
  const expected = getContractAddress({ from: deployer.address, nonce: 0n });
  const webhook = await watch({ addresses: [expected] });
  const { receipt } = await deployer.deploy("Escrow", []);

  const [delivered] = await webhook.notified(1);
  expect(delivered?.notification.event.transaction).toMatchObject({
    txHash: receipt.transactionHash,
    to: zeroAddress,
    contractAddress: expected.toLowerCase(),
  });
});

test("a failed transaction is notified by from and to, with status 0", async () => {
  const splitter = await splitterFor([freshAddress()]);
  const webhook = await watch({ addresses: [splitter.address], includeLogs: true, includeInternalTxs: true });
  const receipt = await world.wallet.call(splitter, "release", [freshAddress()], { gas: 200_000n });

  const [delivered] = await webhook.notified(1);
  expect(delivered?.notification.event.transaction).toMatchObject({
    txHash: receipt.transactionHash,
    txStatus: "0",
    internalTransactions: [],
  });
  expect(delivered?.notification.event.logs).toEqual([]);
});

test("an internal transfer matches only where internal transactions are included, and is shown there", async () => {
  const payee = freshAddress();
  const splitter = await splitterFor([payee]);
  await world.wallet.send(splitter.address, 1_000n);
  const without = await watch({ addresses: [payee] });
  const within = await watch({ addresses: [payee], includeInternalTxs: true });
  const receipt = await world.wallet.call(splitter, "release", [payee]);

  const [delivered] = await within.notified(1);
  expect(delivered?.notification.event.transaction).toMatchObject({
    txHash: receipt.transactionHash,
    internalTransactions: [
      {
        from: splitter.address.toLowerCase(),
        to: payee,
        internalTxType: "CALL",
        value: "1000",
        transactionHash: receipt.transactionHash,
      },
    ],
  });
  expect(world.receiver.deliveries.filter(({ notification }) => notification.webhookId === without.id)).toEqual([]);
});

test("two webhooks on one transaction are each notified, under messageIds of their own", async () => {
  const to = freshAddress();
  const [first, second] = [await watch({ addresses: [to] }), await watch({ addresses: [to], includeLogs: true })];
  await world.wallet.send(to, 1n);
  const [[one], [two]] = await Promise.all([first.notified(1), second.notified(1)]);
  expect(one?.notification.event.transaction).toEqual(two?.notification.event.transaction);
  expect(one?.notification.messageId).not.toBe(two?.notification.messageId);
});

test("an inactive webhook is not notified meanwhile, and resumes at effectiveFromBlock", async () => {
  const to = freshAddress();
  const webhook = await watch({ addresses: [to] });
  await world.wallet.send(to, 1n);
  await webhook.notified(1);
  await world.client.updateWebhook({ path: { id: webhook.id }, body: { status: "inactive" } });
  const missed = await world.wallet.send(to, 2n);
  await world.followed(missed.blockNumber);
  const record = await world.client.updateWebhook({ path: { id: webhook.id }, body: { status: "active" } });
  expect(BigInt(record.effectiveFromBlock)).toBe(missed.blockNumber + 1n);
  await world.wallet.send(to, 3n);
  const delivered = await webhook.notified(2);
  expect(delivered.map(({ notification }) => notification.event.transaction.value)).toEqual(["1", "3"]);
  expect(delivered.map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test("many transactions come in order, numbered without gaps", async () => {
  const to = freshAddress();
  const webhook = await watch({ addresses: [to] });
  for (let value = 1n; value <= 30n; value += 1n) await world.wallet.send(to, value);
  const delivered = await webhook.notified(30);
  expect(delivered.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
  for (const { sequence, notification } of delivered)
    expect(notification.event.transaction.value).toBe(String(sequence));
});

test("the official Standard Webhooks library verifies what is sent, also by both secrets after a rotation", async () => {
  const to = freshAddress();
  const webhook = await watch({ addresses: [to] });
  const path = { id: webhook.id };
  const before = await world.client.getWebhookSecret({ path });
  await world.wallet.send(to, 1n);
  await webhook.notified(1);
  const after = await world.client.rotateWebhookSecret({ path });
  expect(after.secret).not.toBe(before.secret);
  await world.wallet.send(to, 2n);
  const [first, second] = await webhook.notified(2);
  const verify = (secret: string, delivered: Delivered | undefined) =>
    new Webhook(secret).verify(delivered?.rawBody ?? "", delivered?.headers as Record<string, string>);
  expect(verify(before.secret, first)).toEqual(first?.notification);
  expect(verify(before.secret, second)).toEqual(second?.notification);
  expect(verify(after.secret, second)).toEqual(second?.notification);
  expect(() => verify(after.secret, first)).toThrow();
});

/** Its creation is behind the cursor when a webhook on it is created, and so not notified. */
async function splitterFor(payees: string[]): Promise<DeployedContract> {
  const splitter = await world.wallet.deploy("PaymentSplitter", [payees, payees.map(() => 1n)]);
  await world.followed(splitter.receipt.blockNumber);
  return splitter;
}
