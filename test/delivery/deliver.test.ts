/** From the outbox to the receiver and back on record: order, signature, retries, and what endpoints can ask for. */

import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noKeys } from "../../server/settings/keyring.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { deleteWebhook, updateWebhook } from "../../server/store/webhooks/changes.ts";
import { rotateSecret } from "../../server/store/webhooks/secrets.ts";
import { eventually } from "../support/eventually.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../support/outbox.ts";
import { type Delivered, type Receiver, startReceiver } from "../support/receiver.ts";

let outbox: Outbox;
let receiver: Receiver;
/** Answers by path; 204 where there is none. */
const statuses = new Map<string, number | { status: number; retryAfter: string }>();

beforeAll(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(), startReceiver()]);
  receiver.answer = ({ path }, response) => {
    const answer = statuses.get(path) ?? 204;
    if (typeof answer === "number") response.writeHead(answer).end();
    else response.writeHead(answer.status, { "retry-after": answer.retryAfter }).end();
  };
  outbox.deliver();
});
afterAll(async () => {
  await outbox.close();
  await receiver.close();
});

type Hook = OutboxWebhook & { path: string; arrived: (count: number) => Promise<Delivered[]>; count: () => number };

async function hook(status?: number | { status: number; retryAfter: string }): Promise<Hook> {
  const path = `/${crypto.randomUUID()}`;
  if (status !== undefined) statuses.set(path, status);
  const webhook = await outbox.addWebhook(receiver.url + path);
  const isOurs = (delivered: Delivered) => delivered.path === path;
  return {
    ...webhook,
    path,
    arrived: (count) => receiver.waitFor(count, isOurs),
    count: () => receiver.deliveries.filter(isOurs).length,
  };
}

type RetryRow = { sequence: number; attempts: number; inSeconds: number | null };

async function retries({ id }: OutboxWebhook): Promise<RetryRow[]> {
  const { rows } = await outbox.pool.query<RetryRow>(
    `SELECT sequence, attempts, extract(epoch FROM due_at - (SELECT max(sent_at) FROM attempts a
       WHERE a.webhook_id = r.webhook_id AND a.sequence = r.sequence))::float8 AS "inSeconds"
     FROM retries r WHERE webhook_id = $1 ORDER BY sequence`,
    [id],
  );
  return rows;
}

const makeDue = ({ id }: OutboxWebhook) =>
  outbox.pool.query("UPDATE retries SET due_at = now() WHERE webhook_id = $1 AND due_at IS NOT NULL", [id]);
const change = (webhook: OutboxWebhook, to: Parameters<typeof updateWebhook>[3]) =>
  inTransaction(outbox.pool, (db) => updateWebhook(db, webhook.accountId, webhook.id, to));
const statusOf = async ({ id }: OutboxWebhook) => {
  const { rows } = await outbox.pool.query<{ status: string; status_reason: string }>(
    "SELECT status, status_reason FROM webhooks WHERE id = $1",
    [id],
  );
  return rows[0];
};

test("a notification comes as it was recorded, with the headers of the contract and a signature that verifies", async () => {
  const webhook = await hook();
  await outbox.append([webhook], 1, '{"transaction":{"value":"żółć"}}');
  const [delivered] = await webhook.arrived(1);
  expect(delivered?.notification).toEqual({
    webhookId: webhook.id,
    eventType: "address_activity",
    messageId: delivered?.headers["webhook-id"],
    event: { transaction: { value: "żółć" } },
  });
  expect(delivered?.headers).toMatchObject({
    "content-type": "application/json",
    "webhook-sequence": "1",
    "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
  });
  const headers = delivered?.headers as Record<string, string>;
  new Webhook(webhook.secret.toString("base64")).verify(delivered?.rawBody ?? "", headers);
  await eventually(async () =>
    expect(await outbox.attempts(webhook)).toEqual([
      { sequence: 1, number: 1, status: 204, body: null, error: null, durationMs: expect.any(Number) },
    ]),
  );
});

test("a rejected notification is retried when due, with the same messageId and a new signature", async () => {
  const webhook = await hook(500);
  await outbox.append([webhook]);
  await eventually(async () => {
    const [retry] = await retries(webhook);
    expect(retry).toMatchObject({ sequence: 1, attempts: 1 });
    expect(retry?.inSeconds).toBeGreaterThan(7);
    expect(retry?.inSeconds).toBeLessThan(17);
  });
  statuses.delete(webhook.path);
  await makeDue(webhook);
  const [first, second] = await webhook.arrived(2);
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  expect(second?.rawBody).toBe(first?.rawBody);
  await eventually(async () => expect(await retries(webhook)).toEqual([]));
  expect(await outbox.attempts(webhook)).toMatchObject([
    { number: 1, status: 500, error: "bad_status" },
    { number: 2, status: 204, error: null },
  ]);
});

test("after the tenth attempt there is no other; attempts are numbered without gaps", async () => {
  const webhook = await hook(503);
  await outbox.append([webhook]);
  for (let attempts = 1; attempts <= 10; attempts += 1) {
    await eventually(async () => expect(await retries(webhook)).toMatchObject([{ attempts }]));
    if (attempts < 10) await makeDue(webhook);
  }
  expect(await retries(webhook)).toEqual([{ sequence: 1, attempts: 10, inSeconds: null }]);
  expect((await outbox.attempts(webhook)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(await statusOf(webhook)).toMatchObject({ status: "active" });
});

test("retries do not hold back others", async () => {
  const webhook = await hook(500);
  await outbox.append([webhook], 3);
  await eventually(async () => expect((await retries(webhook)).length).toBe(3));
  statuses.delete(webhook.path);
  await outbox.append([webhook], 3);
  await eventually(async () => expect((await outbox.attempts(webhook)).filter(({ error }) => !error).length).toBe(3));
  expect((await retries(webhook)).length).toBe(3);
});

test("Retry-After is honoured on 429 and 503, in seconds and as a date, up to twice the step, and nowhere else", async () => {
  const date = new Date(Date.now() + 19_000).toUTCString();
  const cases = [
    { answer: { status: 429, retryAfter: "14" }, from: 12.5, to: 19 },
    { answer: { status: 503, retryAfter: date }, from: 11.1, to: 24 },
    { answer: { status: 503, retryAfter: "86400" }, from: 18, to: 60 },
    { answer: { status: 500, retryAfter: "86400" }, from: 7, to: 17 },
  ];
  const hooks = await Promise.all(cases.map(({ answer }) => hook(answer)));
  await outbox.append(hooks);
  for (const [index, { from, to }] of cases.entries()) {
    const webhook = hooks[index];
    await eventually(async () => {
      const [retry] = webhook ? await retries(webhook) : [];
      expect(retry?.inSeconds).toBeGreaterThan(from);
      expect(retry?.inSeconds).toBeLessThanOrEqual(to);
    });
  }
});

test("a 410 makes the webhook inactive immediately; pending notifications wait until it is active again", async () => {
  const webhook = await hook(410);
  await outbox.append([webhook], 50);
  await eventually(async () =>
    expect(await statusOf(webhook)).toEqual({ status: "inactive", status_reason: "endpoint_gone" }),
  );
  // Two exchanges at once is all that a new endpoint is trusted with.
  expect(webhook.count()).toBeLessThanOrEqual(2);
  statuses.delete(webhook.path);
  await change(webhook, { status: "active" });
  await eventually(async () =>
    expect(new Set((await outbox.attempts(webhook)).map(({ sequence }) => sequence)).size).toBe(50),
  );
});

test("a 410 from a url that has been changed meanwhile does not count", async () => {
  const gone = await hook();
  const webhook = await hook();
  const release: (() => void)[] = [];
  const { answer } = receiver;
  receiver.answer = (delivered, response) => {
    if (delivered.path === gone.path) release.push(() => response.writeHead(410).end());
    else answer(delivered, response);
  };
  await change(webhook, { url: receiver.url + gone.path });
  await outbox.append([webhook]);
  await gone.arrived(1);
  await change(webhook, { url: receiver.url + webhook.path });
  for (const end of release) end();
  await eventually(async () => expect(await outbox.attempts(webhook)).toMatchObject([{ status: 410 }]));
  await outbox.append([webhook]);
  await webhook.arrived(1);
  expect(await statusOf(webhook)).toMatchObject({ status: "active" });
  receiver.answer = answer;
});

test("five days in which every attempt failed make the webhook inactive; active again, it has a fresh start", async () => {
  const webhook = await hook(500);
  const failFor = (time: string) =>
    outbox.pool.query("UPDATE endpoint_states SET failing_since = now() - $2::interval WHERE webhook_id = $1", [
      webhook.id,
      time,
    ]);
  await outbox.append([webhook]);
  await eventually(async () => expect((await failFor("119 hours")).rowCount).toBe(1));
  await outbox.append([webhook]);
  await eventually(async () => expect((await outbox.attempts(webhook)).length).toBe(2));
  expect(await statusOf(webhook)).toMatchObject({ status: "active" });
  await failFor("121 hours");
  await outbox.append([webhook]);
  await eventually(async () =>
    expect(await statusOf(webhook)).toEqual({ status: "inactive", status_reason: "endpoint_failing" }),
  );
  await makeDue(webhook);
  await outbox.append([webhook], 2);
  await change(webhook, { status: "active" });
  await eventually(async () => expect((await outbox.attempts(webhook)).length).toBe(8));
  expect(await statusOf(webhook)).toMatchObject({ status: "active" });
});

test("one success ends the failing", async () => {
  const webhook = await hook(500);
  const isFailing = async () =>
    (await outbox.pool.query("SELECT FROM endpoint_states WHERE webhook_id = $1", [webhook.id])).rowCount === 1;
  await outbox.append([webhook]);
  await eventually(async () => expect(await isFailing()).toBe(true));
  statuses.delete(webhook.path);
  await outbox.append([webhook]);
  await eventually(async () => expect(await isFailing()).toBe(false));
});

test("a paused webhook is sent nothing, first attempts and retries; active again, all of it", async () => {
  const webhook = await hook(500);
  await outbox.append([webhook], 2);
  await eventually(async () => expect((await retries(webhook)).length).toBe(2));
  await change(webhook, { status: "inactive" });
  statuses.delete(webhook.path);
  await outbox.append([webhook], 150);
  await makeDue(webhook);
  // Another webhook of the same shard shows that the shard's outbox has been read past them.
  const witness = await outbox.addWebhook(`${receiver.url}/witness`, webhook.shard);
  await outbox.append([witness]);
  await receiver.waitFor(1, ({ path }) => path === "/witness");
  expect(webhook.count()).toBe(2);
  await change(webhook, { status: "active" });
  await webhook.arrived(154);
  await eventually(async () => expect((await outbox.attempts(webhook)).length).toBe(154));
  const firsts = (await outbox.attempts(webhook)).filter(({ number }) => number === 1);
  expect(firsts.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 152 }, (_, index) => index + 1));
});

test("a deleted webhook is sent nothing more, and delays nobody", async () => {
  const webhook = await hook(500);
  const other = await outbox.addWebhook(`${receiver.url}/other`, webhook.shard);
  await outbox.append([webhook], 2);
  await eventually(async () => expect((await retries(webhook)).length).toBe(2));
  await inTransaction(outbox.pool, (db) => deleteWebhook(db, webhook.accountId, webhook.id));
  const sent = webhook.count();
  await outbox.append([other], 2);
  await receiver.waitFor(2, ({ path }) => path === "/other");
  expect(webhook.count()).toBe(sent);
  const { rows } = await outbox.pool.query<{ left: number }>(
    "SELECT last_position - (SELECT position FROM delivery_cursors WHERE shard = $1) AS left FROM chains",
    [webhook.shard],
  );
  await eventually(() => expect(rows[0]?.left).toBeDefined());
});

test("after a rotation both secrets sign; when the old one has expired, the new one alone", async () => {
  const webhook = await hook();
  await outbox.append([webhook]);
  await webhook.arrived(1);
  const { secret } = await inTransaction(outbox.pool, (db) => rotateSecret(db, webhook.accountId, webhook.id, noKeys));
  const verifies = (delivered: Delivered | undefined, by: Buffer) => {
    try {
      new Webhook(by.toString("base64")).verify(delivered?.rawBody ?? "", delivered?.headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  // After a slow reading of changed webhooks the sender reads none for four times as long.
  let count = 1;
  const arriveSigned = async (signed: boolean[]) => {
    count += 1;
    await outbox.append([webhook]);
    const one = (await webhook.arrived(count)).at(-1);
    expect([verifies(one, secret), verifies(one, webhook.secret)]).toEqual(signed);
  };
  await eventually(() => arriveSigned([true, true]));
  await outbox.pool.query(
    "UPDATE webhook_secrets SET expires_at = now() WHERE webhook_id = $1 AND expires_at IS NOT NULL",
    [webhook.id],
  );
  await eventually(() => arriveSigned([true, false]));
});

test("a changed url holds from the next attempt on", async () => {
  const webhook = await hook();
  const other = `/${crypto.randomUUID()}`;
  await outbox.append([webhook]);
  await webhook.arrived(1);
  await change(webhook, { url: `${receiver.url}${other}?key=1` });
  await outbox.append([webhook]);
  await receiver.waitFor(1, ({ path }) => path === `${other}?key=1`);
  expect(webhook.count()).toBe(1);
});

test("a body of some megabytes arrives whole", async () => {
  const webhook = await hook();
  await outbox.append([webhook], 3, JSON.stringify({ transaction: { input: "0x".padEnd(6_000_000, "ab") } }));
  const delivered = await webhook.arrived(3);
  for (const { rawBody, headers } of delivered) {
    expect(rawBody.length).toBeGreaterThan(6_000_000);
    new Webhook(webhook.secret.toString("base64")).verify(rawBody, headers as Record<string, string>);
  }
});
