/** Webhooks that start in the past: history first, then live, with nothing missing, repeated or out of order. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { WebhooksError } from "../../client/index.ts";
import { historyBlocksUsed, setQuotas } from "../../server/store/accounts/quotas.ts";
import { freshAddress, type LocalChain, openChain } from "../chain/local-chain.ts";
import { notifiedOf } from "../chain/notified.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let world: World;
let chain: LocalChain;
const busy = freshAddress();

beforeAll(async () => {
  world = await startWorld();
  chain = await openChain(world.node.rpcUrl);
  await chain.transfers(busy, 12);
  await world.followed((await chain.head()).number);
});
afterAll(() => world.stop());

const create = (fromBlock: string, more: object = {}) =>
  world.client.createWebhook({
    body: {
      url: `${world.receiver.url}/${crypto.randomUUID()}`,
      ...{ chainId: testChainId, eventType: "address_activity", metadata: { addresses: [busy] }, fromBlock, ...more },
    },
  });

/** Waits until a webhook has caught up, and holds what it was notified of against the chain. */
async function assertExact(id: string, from: number): Promise<void> {
  const expected = (await chain.transactionsTo(busy)).filter(({ blockNumber }) => blockNumber >= from);
  const notified = () => notifiedOf(world.service.database.pool, id);
  await eventually(async () => expect((await notified()).length).toBeGreaterThanOrEqual(expected.length));
  expect((await notified()).map(({ transactionHash }) => transactionHash)).toEqual(expected.map(({ hash }) => hash));
}

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "it succeeded",
    (error: unknown) => (error instanceof WebhooksError ? [error.status, error.body?.message] : error),
  );

test("is notified from its block on, in order, and goes on with new blocks", async () => {
  const created = await create("5");
  expect(created).toMatchObject({ effectiveFromBlock: "5", history: { nextBlock: "5", mode: "complete" } });
  await chain.transfers(busy, 3);
  await assertExact(created.id, 5);
  await eventually(async () =>
    expect((await world.client.getWebhook({ path: { id: created.id } })).history).toBeUndefined(),
  );
  await chain.transfers(busy, 2);
  await assertExact(created.id, 5);
  const { pathname: path } = new URL(created.url ?? "");
  const expected = (await chain.transactionsTo(busy)).filter(({ blockNumber }) => blockNumber >= 5);
  const delivered = await world.receiver.waitFor(expected.length, (one) => one.path === path);
  expect(delivered.map(({ sequence }) => sequence)).toEqual(expected.map((_, index) => index + 1));
});

test("starts at any block that is recorded, the first ones included, and several share one lane", async () => {
  const { number: newest } = await chain.head();
  await world.followed(newest);
  const froms = [0, 1, 2, newest, 2];
  const webhooks = await Promise.all(froms.map((from) => create(String(from))));
  expect(webhooks.map(({ effectiveFromBlock }) => effectiveFromBlock)).toEqual(froms.map(String));
  await chain.transfers(busy, 2);
  for (const [index, { id }] of webhooks.entries()) await assertExact(id, froms[index] ?? 0);
});

test("starts at genesis on a chain that has no other block", async () => {
  const young = await startWorld();
  onTestFinished(() => young.stop());
  const address = freshAddress();
  const body = { url: young.receiver.url, chainId: testChainId, eventType: "address_activity" as const };
  const created = await young.client.createWebhook({
    body: { ...body, metadata: { addresses: [address] }, fromBlock: "0" },
  });
  expect(created.effectiveFromBlock).toBe("0");
  expect(created.history).toBeUndefined();
  const { hash } = await (await openChain(young.node.rpcUrl)).transfer(address);
  const [delivered] = await young.receiver.waitFor(1);
  expect(delivered?.notification.event.transaction.txHash).toBe(hash);
});

test("is refused above the newest block, and with a number that is none", async () => {
  const { number: newest } = await chain.head();
  await world.followed(newest);
  expect(await refusal(create(String(newest + 1)))).toEqual([
    400,
    `fromBlock must be at most ${newest}, the newest block of chain ${testChainId}.`,
  ]);
  expect(await refusal(create("9999999999999999999"))).toEqual([
    400,
    `fromBlock must be at most ${newest}, the newest block of chain ${testChainId}.`,
  ]);
  for (const wrong of ["", "-1", "0x1", "1.5", "01"])
    expect(await refusal(create(wrong))).toEqual([400, expect.stringMatching(/^fromBlock must /)]);
});

test.each(["headers", "logs"])(
  "a mode is refused without a past, and %s for a webhook that can match without a log",
  async (historyMode) => {
    const metadata = { addresses: [busy], eventSignatures: [`0x${"ab".repeat(32)}`] };
    const headers = { historyMode };
    const body = { url: world.receiver.url, chainId: testChainId, eventType: "address_activity" as const };
    expect(await refusal(world.client.createWebhook({ body: { ...body, ...headers, metadata } }))).toEqual([
      400,
      "historyMode must be left out where there is no fromBlock.",
    ]);
    expect(await create("3", { ...headers, metadata })).toMatchObject({ history: { mode: historyMode } });
    expect(await create("3", { historyMode: "complete" })).toMatchObject({ history: { mode: "complete" } });
    const event = { type: "event", name: "Paid", inputs: [{ name: "by", type: "address", indexed: true }] } as const;
    expect((await create("3", { ...headers, metadata: { addresses: [busy], abi: [event] } })).history?.mode).toBe(
      historyMode,
    );
    const factory = { address: busy, eventSignature: `0x${"ab".repeat(32)}`, argument: "topic1" };
    for (const more of [{}, { metadata: { ...metadata, createdBy: factory } }, { metadata, includeInternalTxs: true }])
      expect(await refusal(create("3", { ...headers, ...more }))).toEqual([
        400,
        expect.stringMatching(
          /^historyMode must be complete unless the webhook has eventSignatures or abi, no createdBy/,
        ),
      ]);
    expect(await refusal(create("3", { historyMode: "receipts", metadata }))).toEqual([
      400,
      "historyMode must be complete, headers or logs.",
    ]);
  },
);

test("what it watches is watched for good: one that joins the others goes on with its addresses and its factory", async () => {
  const [address, other] = [freshAddress(), freshAddress()];
  const webhook = await create("1", { metadata: { addresses: [address] } });
  const factory = { address: other, eventSignature: `0x${"ab".repeat(32)}`, argument: "topic1" as const };
  await create("1", { metadata: { createdBy: factory } });
  await eventually(async () =>
    expect((await world.client.getWebhook({ path: { id: webhook.id } })).history).toBeUndefined(),
  );
  // Long after its lane is gone, the plain lane's filter lets the address through.
  await chain.mine(3);
  const { hash } = await chain.transfer(address);
  await eventually(async () => {
    const notified = await notifiedOf(world.service.database.pool, webhook.id);
    expect(notified.map(({ transactionHash }) => transactionHash)).toEqual([hash]);
  });
});

test("with an Idempotency-Key, a repeated request asks no node again", async () => {
  const key = crypto.randomUUID();
  const body = {
    ...{ url: world.receiver.url, chainId: testChainId, eventType: "address_activity" as const, fromBlock: "3" },
    metadata: { addresses: [busy] },
  };
  const first = await world.client.createWebhook({ body, headers: { "Idempotency-Key": key } });
  expect(await world.client.createWebhook({ body, headers: { "Idempotency-Key": key } })).toEqual(first);
});

test("an account has only so many blocks of the past read in a day, by histories and replays together", async () => {
  const { pool } = world.service.database;
  const { number: newest } = await chain.head();
  await world.followed(newest);
  const from = String(newest - 2);
  const used = (await historyBlocksUsed(pool, 1)).reduce((sum, { blocks }) => sum + blocks, 0);
  await setQuotas(pool, "test", { historyBlocks: used + 4 });
  try {
    const { id } = await create(from);
    // It has taken three. Deleting it gives nothing back.
    await world.client.deleteWebhook({ path: { id } });
    const left = `The account may read at most ${used + 4} blocks of the past within 24 hours, of which 1 are left`;
    expect(await refusal(create(from))).toEqual([403, expect.stringContaining(left)]);
    await eventually(async () => expect((await create(String(newest))).effectiveFromBlock).toBe(String(newest)));
  } finally {
    await setQuotas(pool, "test", { historyBlocks: null });
  }
});
