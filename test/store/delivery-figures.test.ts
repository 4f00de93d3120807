/** The metrics of what is still to be delivered, compared with what was recorded and attempted. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { readDeliveryFigures, readLeaseFigures } from "../../server/store/delivery/figures.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../support/outbox.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

let outbox: Outbox;
let receiver: Receiver;
beforeEach(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
});
afterEach(async () => {
  await outbox.close();
  await receiver.close();
});

const figures = () => readDeliveryFigures(outbox.pool);
const nothing = { count: 0, oldestSeconds: undefined };
const none = { first_attempt: nothing, endpoint: nothing, activation: nothing, retry: nothing };
const makeOlder = (seconds: number, { id }: OutboxWebhook) =>
  outbox.pool.query(
    "UPDATE notifications SET recorded_at = recorded_at - make_interval(secs => $1) WHERE webhook_id = $2",
    [seconds, id],
  );

test("unattempted notifications are counted over all shards, with the oldest's age, until they are sent", async () => {
  expect(await figures()).toEqual(none);
  const webhooks = await Promise.all([1, 2, 3].map(() => outbox.addWebhook(receiver.url)));
  await outbox.append(webhooks, 40);
  await makeOlder(90, webhooks[0] as OutboxWebhook);
  const { first_attempt } = await figures();
  expect(first_attempt.count).toBe(120);
  expect(first_attempt.oldestSeconds).toBeGreaterThan(89);
  expect(first_attempt.oldestSeconds).toBeLessThan(120);
  const delivery = outbox.deliver();
  await outbox.atRest();
  await expect.poll(figures).toEqual(none);
  await delivery.stop();
  // A shard that had nothing lately has an old cursor; what lies behind the others' is not its.
  await outbox.append(webhooks.slice(0, 1), 7);
  expect((await figures()).first_attempt.count).toBe(7);
});

test("a shard without an owner still counts its own notifications", async () => {
  const [one, two] = [await outbox.addWebhook(receiver.url, 3), await outbox.addWebhook(receiver.url, 4)];
  await outbox.append([one, two], 10);
  await outbox.pool.query(
    `INSERT INTO delivery_cursors (shard, chain_id, position, recorded_on)
     SELECT $1, chain_id, last_position, (now() AT TIME ZONE 'utc')::date FROM chains`,
    [one.shard],
  );
  expect((await figures()).first_attempt.count).toBe(10);
});

test("notifications that wait for an endpoint, an active webhook and the next attempt are counted apart", async () => {
  const [busy, paused, refusing] = [
    await outbox.addWebhook(receiver.url),
    await outbox.addWebhook(receiver.url),
    await outbox.addWebhook(`${receiver.url}/refusing`),
  ];
  await outbox.append([busy], 5);
  await outbox.append([paused, refusing], 3);
  await makeOlder(60, busy);
  receiver.answer = ({ path }, response) => void response.writeHead(path === "/refusing" ? 500 : 204).end();
  const delivery = outbox.deliver();
  await outbox.atRest();
  await delivery.stop();
  const state = "INSERT INTO endpoint_states (shard, webhook_id, backlog_from) VALUES ($1, $2, $3)";
  await outbox.pool.query(state, [busy.shard, busy.id, 2]);
  await outbox.pool.query(state, [paused.shard, paused.id, 1]);
  await outbox.pool.query("UPDATE webhooks SET status = 'inactive' WHERE id = $1", [paused.id]);
  const found = await figures();
  expect(found).toMatchObject({
    first_attempt: nothing,
    endpoint: { count: 4, oldestSeconds: expect.any(Number) },
    activation: { count: 3, oldestSeconds: expect.any(Number) },
    retry: { count: 3 },
  });
  expect(found.endpoint.oldestSeconds).toBeGreaterThan(59);
  expect(found.activation.oldestSeconds).toBeLessThan(59);
});

test("leases are owned while a process lives, and free when it has left", async () => {
  expect(await readLeaseFigures(outbox.pool, [])).toEqual([{ kind: "shard", owned: 0, free: 32 }]);
  const delivery = outbox.deliver();
  const owned = async () => (await readLeaseFigures(outbox.pool, []))[0]?.owned;
  await expect.poll(owned).toBe(32);
  await delivery.stop();
  expect(await owned()).toBe(0);
});

test("only the requested chains are reported, not one that is no longer followed", async () => {
  await outbox.pool.query("INSERT INTO leases (kind, key) VALUES ('chain', '1'), ('replay', '1'), ('chain', '2')");
  const found = (await readLeaseFigures(outbox.pool, ["2"])).sort((a, b) => (a.kind < b.kind ? -1 : 1));
  expect(found).toEqual([
    { kind: "chain", owned: 0, free: 1 },
    { kind: "shard", owned: 0, free: 32 },
  ]);
});
