/** The consumer on the real service: whatever a webhook is set to, what it forgets, and what is taken away. */
import type pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  type ConsumerError,
  type ConsumerOptions,
  createConsumer,
  memoryStore,
} from "../../../client/consumer/index.ts";
import { createWebhooksClient } from "../../../client/index.ts";
import { createNodeReceiver, kindOf } from "../../../client/receiver/index.ts";
import { defaultPeriods } from "../../../server/settings/periods.ts";
import { createKey, revokeKey } from "../../../server/store/accounts/keys.ts";
import { maintain } from "../../../server/store/outbox/retention.ts";
import { freshAddress, openChain } from "../../chain/local-chain.ts";
import { eventually } from "../../support/eventually.ts";
import { startWorld, testChainId, type World } from "../../support/service.ts";
import { listen } from "../http-server.ts";

const { retentionDays } = defaultPeriods;
let world: World;
beforeAll(async () => {
  world = await startWorld({ chain: { finality: { confirmations: 2 } } });
});
afterAll(() => world.stop());

/** A webhook of an address of its own. @param options of its creation @param metadata more of it */
async function watch(options: object = {}, metadata: object = {}) {
  const { client, node } = world;
  const chain = await openChain(node.rpcUrl);
  const address = freshAddress();
  let receive: ReturnType<typeof createNodeReceiver> | undefined;
  const url = await listen((request, response) =>
    receive ? void receive(request, response) : void response.writeHead(503).end(),
  );
  const { id } = await client.createWebhook({
    body: {
      ...{ chainId: testChainId, eventType: "address_activity", ...("delivery" in options ? {} : { url }), ...options },
      metadata: { addresses: [address], ...metadata },
    } as never,
  });
  const path = { id };
  onTestFinished(() =>
    client.deleteWebhook({ path }).then(
      () => {},
      () => {},
    ),
  );
  const { secret } = await client.getWebhookSecret({ path });
  const consume = (more: Partial<ConsumerOptions<undefined>> = {}) => {
    const handled: string[] = [];
    const errors: ConsumerError[] = [];
    const consumer = createConsumer({
      ...{ webhookId: id, client, secret, store: memoryStore(), backOff: { firstMs: 1, longestMs: 50 } },
      onNotification: (notification, { sequence }) => void handled.push(`${kindOf(notification)} ${sequence}`),
      onRetraction: (notification, { sequence }) => void handled.push(`${kindOf(notification)} ${sequence}`),
      onError: (error) => errors.push(error),
      ...more,
    });
    onTestFinished(() => consumer.stop());
    return { consumer, handled, errors, position: async () => (await consumer.state()).position };
  };
  return {
    ...{ id, path, consume, chain },
    send: (count: number) => chain.transfers(address, count),
    /** POSTs are for this one from now on. */
    takePosts: ({ consumer }: ReturnType<typeof consume>) => {
      receive = createNodeReceiver(consumer.receiver);
    },
  };
}

test.each<[string, object, object]>([
  ["as it comes", {}, {}],
  ["in batches", {}, { batch: { maxItems: 50, maxWaitMs: 200 } }],
  ["in order", {}, { ordered: true }],
  ["in Glacier's form", { compatibility: "glacier", includeLogs: true, includeInternalTxs: true }, {}],
  ["when it happens and when it is final", { finality: "both" }, {}],
  ["in batches, and when it is final, too", { finality: "both" }, { batch: { maxItems: 3, maxWaitMs: 50 } }],
])("by POSTs and by the feed the same is handled: %s", async (_, options, metadata) => {
  const { consume, takePosts, send, chain } = await watch(options, metadata);
  const [byFeed, byPost] = [consume(), consume()];
  byFeed.consumer.start();
  takePosts(byPost);
  await send(4);
  await eventually(() => expect(byFeed.handled.filter((each) => /^activity/.test(each))).toHaveLength(4));
  await chain.reorg(1, []);
  await chain.mine(3);
  const both = "finality" in options;
  await eventually(() => expect(byFeed.handled.some((each) => /^retraction/.test(each))).toBe(true));
  if (both) await eventually(() => expect(byFeed.handled.some((each) => /^finalized/.test(each))).toBe(true));
  await eventually(() => expect(byPost.handled).toEqual(byFeed.handled));
  expect(byFeed.handled.map((each) => Number(each.split(" ")[1]))).toEqual(byFeed.handled.map((_, index) => index + 1));
  expect([...byFeed.errors, ...byPost.errors]).toEqual([]);
});

test("an endpoint that is down holds up no feed, and has its secret changed", async () => {
  const { consume, takePosts, send, path } = await watch();
  const byFeed = consume();
  byFeed.consumer.start();
  await send(2);
  await eventually(() => expect(byFeed.handled).toEqual(["activity 1", "activity 2"]));
  const byPost = consume();
  takePosts(byPost);
  await world.client.rotateWebhookSecret({ path });
  await send(1);
  await eventually(() => expect(byFeed.handled).toHaveLength(3));
  await eventually(() => expect(byPost.handled).toEqual(byFeed.handled));
  expect(byPost.errors).toEqual([]);
});

/** Its notifications up to there are of a day that is no longer kept, and the service looks for such days. */
async function letDayEnd(pool: pg.Pool, id: string, upTo: number): Promise<void> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const [from, to] = [day(retentionDays + 2), day(retentionDays + 1)];
  const partition = `notifications_${from?.replaceAll("-", "")}`;
  await pool.query(`CREATE TABLE ${partition} PARTITION OF notifications FOR VALUES FROM ('${from}') TO ('${to}')`);
  const { rowCount } = await pool.query(
    "UPDATE notifications SET recorded_on = $3 WHERE webhook_id = $1 AND sequence <= $2",
    [id, upTo, from],
  );
  expect(rowCount).toBeGreaterThan(0);
  await maintain(pool, retentionDays);
  expect((await pool.query("SELECT FROM pg_class WHERE relname = $1", [partition])).rowCount).toBe(0);
}

test.each(["delivery", "feed only"])(
  "what is no longer kept is a gap, which only a skip leads over: %s",
  async (kind) => {
    const { consume, send, id } = await watch(kind === "feed only" ? { delivery: "feed" } : {});
    const { consumer, handled, errors, position } = consume();
    const forget = (upTo: number) => letDayEnd(world.service.database.pool, id, upTo);
    consumer.start();
    await send(1);
    await eventually(() => expect(handled).toEqual(["activity 1"]));
    await consumer.stop();
    await send(4);
    await eventually(async () =>
      expect((await world.client.readFeed({ path: { id }, query: { after: 4 } })).lastSequence).toBe(5),
    );
    await forget(3);
    consumer.start();
    await eventually(() => expect(errors.at(-1)).toMatchObject({ code: "gone", sequence: 2, firstSequence: 4 }));
    const { gap } = await consumer.state();
    expect(gap).toEqual({ from: 2, to: 3 });
    await consumer.skip(gap ?? expect.fail(), "Counted by hand.");
    await eventually(() => expect(handled).toEqual(["activity 1", "activity 4", "activity 5"]));
    await eventually(async () => expect(await consumer.state()).toMatchObject({ status: "following", gap: undefined }));
    await consumer.stop();
    // All of it.
    await send(2);
    await eventually(async () =>
      expect((await world.client.readFeed({ path: { id }, query: { after: 6 } })).lastSequence).toBe(7),
    );
    await forget(7);
    consumer.start();
    await eventually(async () => expect((await consumer.state()).gap).toEqual({ from: 6, to: 7 }));
    await consumer.skip({ from: 6, to: 7 }, "Counted by hand.");
    await send(1);
    await eventually(() => expect(handled.at(-1)).toBe("activity 8"));
    expect(await position()).toBe(8);
  },
);

test("says that its key was revoked, or its webhook deleted", async () => {
  const { consume, send, path } = await watch();
  const { key, prefix } = await createKey(world.service.database.pool, { account: "test", scopes: ["read"] });
  const client = createWebhooksClient({ baseUrl: world.service.url ?? "", apiKey: key });
  const reader = consume({ client });
  const other = consume();
  reader.consumer.start();
  other.consumer.start();
  await send(1);
  await eventually(() => expect([reader.handled, other.handled]).toEqual([["activity 1"], ["activity 1"]]));
  await revokeKey(world.service.database.pool, prefix);
  await send(1);
  await eventually(() => expect(reader.errors.at(-1)).toMatchObject({ code: "feed_failed", cause: { status: 401 } }));
  await eventually(() => expect(other.handled).toHaveLength(2));
  await world.client.deleteWebhook({ path });
  await eventually(() => expect(other.errors.at(-1)).toMatchObject({ code: "feed_failed", cause: { status: 404 } }));
  expect(await other.consumer.state()).toMatchObject({ status: "failing", position: 2 });
});
