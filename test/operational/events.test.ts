/** What accounts are notified of: each thing once, with its data, and nothing of anybody else's. */
import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { setMoveState } from "../../server/store/accounts/may-change.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { deleteWebhook, updateWebhook } from "../../server/store/webhooks/changes.ts";
import { type Outbox, type OutboxWebhook, openOutbox, outboxChainId } from "../support/outbox.ts";
import { failingLimitMs, operationalScene } from "./scene.ts";

let outbox: Outbox;
let scene: ReturnType<typeof operationalScene>;
/** An account with an operational webhook, another with one, and one without. */
let account: number;
let other: number;
let silent: number;
const nowhere = "http://127.0.0.1:9/";

beforeAll(async () => {
  outbox = await openOutbox();
  scene = operationalScene(outbox);
});
afterAll(() => outbox.close());
beforeEach(async () => {
  [account, other, silent] = [await outbox.addAccount(), await outbox.addAccount(), await outbox.addAccount()];
  for (const one of [account, other]) await scene.register(one);
  await outbox.pool.query("UPDATE chain_lanes SET stopped = NULL, stopped_since = NULL");
});

const webhookOf = (accountId: number, options?: Parameters<Outbox["addWebhook"]>[3]) =>
  outbox.addWebhook(nowhere, undefined, accountId, options);
const typesOf = async (accountId: number) => (await scene.reported(accountId)).map(({ type }) => type);
const query = (text: string, values: unknown[] = []) => outbox.pool.query(text, values);
/** Several times, since nothing may be said twice. */
const report = async () => {
  for (let times = 0; times < 3; times += 1) await scene.report();
};
const deactivate = ({ id }: OutboxWebhook, reason = "endpoint_failing") =>
  query("UPDATE webhooks SET status = 'inactive', status_reason = $2, status_since = now() WHERE id = $1", [
    id,
    reason,
  ]);
const change = ({ id, accountId }: OutboxWebhook, status: "active" | "inactive") =>
  inTransaction(outbox.pool, (db) => updateWebhook(db, accountId, id, { status }));
const exhaust = ({ id, accountId }: OutboxWebhook, count: number, lastSequence: number) =>
  query(
    `INSERT INTO exhausted (webhook_id, account_id, count, last_sequence) VALUES ($1, $2, $3, $4)
     ON CONFLICT (webhook_id) DO UPDATE SET count = exhausted.count + EXCLUDED.count, last_sequence = EXCLUDED.last_sequence`,
    [id, accountId, count, lastSequence],
  );

/** @param instead what to do in place of a query, undefined for the query itself @returns a pool */
const withQueries = (instead: (of: PoolClient, given: unknown[]) => Promise<unknown> | undefined) =>
  ({
    ...outbox.pool,
    connect: async () => {
      const client = await outbox.pool.connect();
      return new Proxy(client, {
        get(of, name) {
          if (name !== "query") return Reflect.get(of, name);
          return (...given: unknown[]) =>
            instead(of, given) ?? (of.query as (...all: unknown[]) => unknown).apply(of, given);
        },
      });
    },
    query: outbox.pool.query.bind(outbox.pool),
  }) as unknown as Outbox["pool"];

test("an endpoint that fails is reported at 50, 75 and 90 %, then that its webhook is inactive, and that it is active again", async () => {
  const [webhook, theirs] = [await webhookOf(account), await webhookOf(silent)];
  await webhookOf(other);
  for (const part of [0.2, 0.49, 0.51, 0.76, 0.95]) {
    for (const one of [webhook, theirs]) {
      // As time goes by: the first failure stays the same.
      await query("DELETE FROM endpoint_states WHERE webhook_id = $1", [one.id]);
      await scene.failFor(one, part);
    }
    await query(
      "UPDATE operational_said s SET state = (s.state::jsonb || jsonb_build_object('since', floor(extract(epoch FROM failing_since) * 1000)))::json FROM endpoint_states e WHERE subject = 'webhook:' || e.webhook_id",
    );
    await report();
  }
  const failing = await scene.reported(account);
  expect(failing.map(({ type, subject, data }) => [type, subject, data.percent])).toEqual(
    [50, 75, 90].map((percent) => ["webhook.failing", `webhook:${webhook.id}`, percent]),
  );
  for (const { data } of failing) expect(data.deactivatesAt).toBe((data.failingSince ?? 0) + failingLimitMs);
  await deactivate(webhook);
  await report();
  await change(webhook, "active");
  await report();
  expect((await scene.reported(account)).slice(3)).toMatchObject([
    {
      type: "webhook.deactivated",
      subject: `webhook:${webhook.id}`,
      data: { webhookId: webhook.id, reason: "endpoint_failing" },
    },
    {
      type: "webhook.recovered",
      subject: `webhook:${webhook.id}`,
      data: { webhookId: webhook.id, reason: "activated" },
    },
  ]);
  expect(await scene.reported(other)).toEqual([]);
});

test("an endpoint that accepts again, and a webhook that is deleted, end what was said; one that its owner deactivates meanwhile is inactive", async () => {
  const [well, gone, paused] = [await webhookOf(account), await webhookOf(account), await webhookOf(account)];
  for (const one of [well, gone, paused]) await scene.failFor(one, 0.6);
  await report();
  await query("DELETE FROM endpoint_states WHERE webhook_id = $1", [well.id]);
  await inTransaction(outbox.pool, (db) => deleteWebhook(db, account, gone.id));
  await change(paused, "inactive");
  await report();
  const reported = (await scene.reported(account))
    .slice(3)
    .map(({ type, data }) => [type, data.webhookId, data.reason]);
  expect(reported).toHaveLength(3);
  expect(reported).toEqual(
    expect.arrayContaining([
      ["webhook.recovered", well.id, "delivered"],
      ["webhook.recovered", gone.id, "deleted"],
      ["webhook.deactivated", paused.id, "requested"],
    ]),
  );
});

test("what begins again right after its end is said a while later", async () => {
  const webhook = await webhookOf(account);
  await scene.failFor(webhook, 0.6);
  await scene.report({ holdMs: 60_000 });
  await query("DELETE FROM endpoint_states WHERE webhook_id = $1", [webhook.id]);
  await scene.report({ holdMs: 60_000 });
  await scene.failFor(webhook, 0.6);
  await scene.report({ holdMs: 60_000 });
  expect(await typesOf(account)).toEqual(["webhook.failing", "webhook.recovered"]);
  await query("UPDATE operational_said SET said_at = said_at - interval '2 minutes'");
  await scene.report({ holdMs: 60_000 });
  expect(await typesOf(account)).toEqual(["webhook.failing", "webhook.recovered", "webhook.failing"]);
});

test("notifications that used up their attempts are counted, and few events report of many", async () => {
  const [plain, ordered] = [await webhookOf(account), await webhookOf(account, { ordered: true })];
  const theirs = await webhookOf(other);
  for (let turn = 1; turn <= 50; turn += 1) {
    await exhaust(plain, 20, turn * 20);
    await scene.report({ holdMs: 60_000 });
  }
  await exhaust(ordered, 1, 7);
  await exhaust(theirs, 2, 2);
  await query("UPDATE operational_said SET said_at = said_at - interval '2 minutes'");
  await report();
  const reported = await scene.reported(account);
  expect(reported.map(({ type, subject, data }) => [type, subject, data.count, data.lastSequence])).toEqual(
    expect.arrayContaining([
      ["webhook.notifications_failed", `webhook:${plain.id}`, 20, 20],
      ["webhook.notifications_failed", `webhook:${plain.id}`, 980, 1_000],
      ["webhook.passed_over", `webhook:${ordered.id}`, 1, 7],
    ]),
  );
  expect(reported).toHaveLength(3);
  expect(await scene.reported(other)).toMatchObject([{ data: { webhookId: theirs.id, count: 2, lastSequence: 2 } }]);
});

test("a chain that stands still is reported to those who have active webhooks on it, and that it is followed again", async () => {
  await webhookOf(account);
  const paused = await webhookOf(other);
  await change(paused, "inactive");
  await query(
    "UPDATE chain_lanes SET stopped = 'No node.', stopped_since = to_timestamp(1767225600) WHERE chain_id = $1",
    [outboxChainId],
  );
  await report();
  await query("UPDATE chain_lanes SET stopped = NULL, stopped_since = NULL");
  await report();
  expect(await scene.reported(account)).toMatchObject([
    {
      type: "chain.stopped",
      subject: `chain:${outboxChainId}`,
      message: `Chain ${outboxChainId} stands still: No node.`,
      data: { chainId: outboxChainId, reason: "No node.", since: 1767225600000 },
    },
    { type: "chain.resumed", subject: `chain:${outboxChainId}`, data: { chainId: outboxChainId } },
  ]);
  expect(await scene.reported(other)).toEqual([]);
});

test("a chain that no process follows stands still, but is not reported before those who follow had the time to say so", async () => {
  await webhookOf(account);
  const patient = { unattendedMs: 60_000 };
  await query("UPDATE chain_lanes SET checked_at = now() - interval '61 seconds' WHERE chain_id = $1", [outboxChainId]);
  await scene.report(patient);
  expect(await scene.reported(account)).toEqual([]);
  // Who holds the lease may be silent for long.
  const hold =
    "INSERT INTO leases (kind, key, owner, expires_at) VALUES ('chain', $1, gen_random_uuid(), now() + interval '1 minute')";
  await query(hold, [outboxChainId]);
  await report();
  expect(await scene.reported(account)).toEqual([]);
  await query("DELETE FROM leases WHERE kind = 'chain'");
  const found = { unattended: new Map<string, number>(), unattendedMs: 20 };
  await scene.report(found);
  expect(await scene.reported(account)).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 25));
  await scene.report(found);
  expect(await scene.reported(account)).toHaveLength(1);
  // Neither is it followed again because another process looks for the first time.
  await scene.report(patient);
  await query("UPDATE chain_lanes SET checked_at = now() WHERE chain_id = $1", [outboxChainId]);
  await report();
  expect(await scene.reported(account)).toMatchObject([
    { type: "chain.stopped", data: { chainId: outboxChainId, reason: "No process follows the chain." } },
    { type: "chain.resumed", message: `Chain ${outboxChainId} is followed again.` },
  ]);
  await query("UPDATE chain_lanes SET checked_at = NULL");
});

test("a chain that stands still without traces, and then at all, is reported twice, each time with its reason and since when", async () => {
  const plain = await webhookOf(account);
  const traced = await webhookOf(account);
  const lane = 71;
  await query(
    "INSERT INTO chain_lanes (chain_id, lane, traces, catches_up, cursor_number, cursor_hash) VALUES ($1, $2, true, false, 9, '\\x01')",
    [outboxChainId, lane],
  );
  await query("UPDATE webhooks SET lane = $2 WHERE id = $1", [traced.id, lane]);
  const stop = (of: number, reason: string, since: number) =>
    query("UPDATE chain_lanes SET stopped = $2, stopped_since = to_timestamp($3) WHERE lane = $1", [of, reason, since]);
  await stop(lane, "No node has traces.", 1767225600);
  await report();
  await stop(0, "No node.", 1767225700);
  await report();
  expect((await scene.reported(account)).map(({ type, data: { reason, since } }) => [type, reason, since])).toEqual([
    ["chain.stopped", "No node has traces.", 1767225600000],
    ["chain.stopped", "No node.", 1767225700000],
  ]);
  await query("DELETE FROM webhooks WHERE id = ANY($1)", [[plain.id, traced.id]]);
  await query("DELETE FROM chain_lanes WHERE lane = $1", [lane]);
});

test("an account that leaves a chain that stands still is not notified that it is followed again", async () => {
  const webhook = await webhookOf(account);
  await query("UPDATE chain_lanes SET stopped = 'No node.', stopped_since = now() WHERE chain_id = $1", [
    outboxChainId,
  ]);
  await report();
  await change(webhook, "inactive");
  await report();
  expect((await scene.reported(account)).map(({ type, message }) => [type, message])).toEqual([
    ["chain.stopped", `Chain ${outboxChainId} stands still: No node.`],
    [
      "chain.resumed",
      `Chain ${outboxChainId} stands still, but no active webhook of the account waits for it any more.`,
    ],
  ]);
});

test("a clock that is set back neither loses what ends nor makes it wait", async () => {
  const [failing, exhausted] = [await webhookOf(account), await webhookOf(account)];
  await exhaust(exhausted, 1, 1);
  await scene.failFor(failing, 0.6);
  await scene.report({ holdMs: 60_000 });
  await query("DELETE FROM endpoint_states WHERE webhook_id = $1", [failing.id]);
  await scene.report({ holdMs: 60_000 });
  // As what was before a clock that is now an hour back.
  await query("UPDATE operational_said SET said_at = said_at + interval '1 hour'");
  await query("UPDATE webhooks SET created_at = created_at + interval '1 hour' WHERE chain_id = 'operational'");
  await scene.failFor(failing, 0.6);
  await exhaust(exhausted, 2, 3);
  await addReplay(exhausted, "done");
  await scene.report({ holdMs: 60_000 });
  expect((await typesOf(account)).slice(3).sort()).toEqual([
    "replay.done",
    "webhook.failing",
    "webhook.notifications_failed",
  ]);
});

test("registering reports what is so now, and nothing that is past", async () => {
  const [failing, inactive, exhausted] = [await webhookOf(silent), await webhookOf(silent), await webhookOf(silent)];
  await scene.failFor(failing, 0.8);
  await deactivate(inactive, "endpoint_gone");
  await exhaust(exhausted, 5, 5);
  await addReplay(exhausted, "done");
  await query("UPDATE chain_lanes SET stopped = 'No node.', stopped_since = now() WHERE chain_id = $1", [
    outboxChainId,
  ]);
  await scene.register(silent);
  await report();
  expect((await typesOf(silent)).sort()).toEqual(["chain.stopped", "webhook.failing"]);
  // What happens from then on is reported.
  await exhaust(exhausted, 1, 6);
  await change(inactive, "active");
  await report();
  expect((await scene.reported(silent)).slice(2)).toMatchObject([
    { type: "webhook.notifications_failed", data: { count: 1 } },
    { type: "webhook.recovered", data: { webhookId: inactive.id } },
  ]);
  // Registering again changes where, and repeats nothing.
  await scene.register(silent);
  await report();
  expect(await scene.reported(silent)).toHaveLength(4);
});

async function addReplay({ id, accountId }: OutboxWebhook, status: string, reason?: string): Promise<string> {
  const replayId = randomUUID();
  await query(
    `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block, status, status_reason, finished_at)
     VALUES ($1, $2, $3, $4, 1, 1, 2, $5, $6, clock_timestamp())`,
    [replayId, accountId, id, outboxChainId, status, reason ?? null],
  );
  return replayId;
}

test("replays that end are reported, each once, and not those that are cancelled", async () => {
  const webhook = await webhookOf(account);
  await addReplay(await webhookOf(other), "cancelled");
  const [done, failed] = [await addReplay(webhook, "done"), await addReplay(webhook, "failed", "No node has it.")];
  await report();
  // One that is done runs again for blocks that were replaced.
  await query("UPDATE replays SET status = 'running' WHERE id = $1", [done]);
  await report();
  await query("UPDATE replays SET status = 'done', finished_at = clock_timestamp() WHERE id = $1", [done]);
  await report();
  const reported = await scene.reported(account);
  expect(reported).toHaveLength(2);
  expect(reported).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        type: "replay.done",
        subject: `replay:${done}`,
        data: { replayId: done, webhookId: webhook.id },
      }),
      expect.objectContaining({
        type: "replay.failed",
        subject: `replay:${failed}`,
        data: { replayId: failed, webhookId: webhook.id, reason: "No node has it." },
      }),
    ]),
  );
  expect(await scene.reported(other)).toEqual([]);
});

test("a history that stands still, goes on and reaches the present is reported; so is one that was too short to be seen", async () => {
  const [long, short] = [await webhookOf(account), await webhookOf(account)];
  await query("UPDATE webhooks SET created_before = 50 WHERE id = ANY($1::uuid[])", [[long.id, short.id]]);
  const { rows } = await query(
    `INSERT INTO chain_lanes (chain_id, catches_up, history_from, history_account, history_since, cursor_number, cursor_hash)
     VALUES ($1, true, 5, $2, now(), 9, '\\x01') RETURNING lane`,
    [outboxChainId, account],
  );
  const { lane } = rows[0] as { lane: number };
  await query("UPDATE webhooks SET lane = $2 WHERE id = $1", [long.id, lane]);
  await report();
  await query("UPDATE chain_lanes SET stopped = 'No node has block 10.', stopped_since = now() WHERE lane = $1", [
    lane,
  ]);
  await report();
  await query("UPDATE chain_lanes SET stopped = NULL WHERE lane = $1", [lane]);
  await report();
  await query("UPDATE webhooks SET lane = 0 WHERE id = $1", [long.id]);
  await query("DELETE FROM chain_lanes WHERE lane = $1", [lane]);
  await report();
  expect((await scene.reported(account)).map(({ type, subject, data }) => [type, subject, data.reason])).toEqual([
    ["history.done", `history:${short.id}`, undefined],
    ["history.failed", `history:${long.id}`, "No node has block 10."],
    ["history.done", `history:${long.id}`, undefined],
  ]);
});

test("quotas are reported at 80 and 100 %, again only after the use has fallen well below", async () => {
  const quotas = { webhooks: 5, addresses: 1_000 };
  const use = async (webhooks: number) => {
    await query("UPDATE accounts SET webhooks = $2 WHERE id = $1", [account, webhooks]);
    await scene.report({ quotas });
    await scene.report({ quotas });
  };
  for (const webhooks of [3, 4, 5, 4, 5, 3, 4]) await use(webhooks);
  expect((await scene.reported(account)).map(({ type, subject, data }) => [type, subject, data])).toEqual(
    [
      { percent: 80, used: 4 },
      { percent: 100, used: 5 },
      // Of five, one less is 20 %.
      { percent: 100, used: 5 },
      { percent: 80, used: 4 },
    ].map((data) => ["quota.reached", "quota:webhooks", { quota: "webhooks", ...data, limit: 5 }]),
  );
  await query("UPDATE accounts SET webhooks = 0 WHERE id = $1", [account]);
});

test("a quota that is used up and freed again and again is reported once a minute", async () => {
  const quotas = { webhooks: 5, addresses: 1_000 };
  for (let time = 0; time < 20; time += 1) {
    await query("UPDATE accounts SET webhooks = $2 WHERE id = $1", [account, time % 2 ? 3 : 5]);
    await scene.report({ quotas, holdMs: 60_000 });
  }
  expect(await scene.reported(account)).toHaveLength(1);
  // One that was lowered to nothing is used up, too.
  await query("UPDATE accounts SET webhooks = 3 WHERE id = $1", [other]);
  await scene.report({ quotas: { webhooks: 0, addresses: 0 } });
  expect(await scene.reported(other)).toMatchObject([{ data: { quota: "webhooks", percent: 100, used: 3, limit: 0 } }]);
  await query("UPDATE accounts SET webhooks = 0");
});

test("each quota of an account is reported by its name, and what others use is not counted", async () => {
  const own = { anyAddress: true };
  await webhookOf(account, own);
  await webhookOf(account, own);
  const compares = await webhookOf(account);
  await query("UPDATE webhooks SET comparisons = 8, abi_bytes = 100 WHERE id = $1", [compares.id]);
  await query("UPDATE webhooks SET comparisons = 50 WHERE id = $1", [(await webhookOf(other)).id]);
  const quotas = { webhooks: 4, addresses: 10_000, anyAddress: 2, comparisons: 10, abiBytes: 100 };
  await scene.report({ quotas });
  await scene.report({ quotas });
  expect((await scene.reported(account)).map(({ type, subject, data }) => [type, subject, data])).toEqual(
    [
      { quota: "abiBytes", percent: 100, used: 100, limit: 100 },
      { quota: "anyAddress", percent: 100, used: 2, limit: 2 },
      { quota: "comparisons", percent: 80, used: 8, limit: 10 },
    ].map((data) => ["quota.reached", `quota:${data.quota}`, data]),
  );
});

test("an account whose webhooks are set apart is reported once", async () => {
  await query(
    `INSERT INTO chain_lanes (chain_id, catches_up, apart_account, apart_until, cursor_number, cursor_hash)
     VALUES ($1, true, $2, 100, 9, '\\x01')`,
    [outboxChainId, account],
  );
  await report();
  await query("DELETE FROM chain_lanes WHERE apart_account = $1", [account]);
  await report();
  expect(await scene.reported(account)).toMatchObject([
    { type: "account.set_apart", data: { chainId: outboxChainId, reason: "costly" } },
  ]);
});

test("nothing is said about the operational webhook itself", async () => {
  const { rows } = await query("SELECT id, shard FROM webhooks WHERE account_id = $1", [account]);
  const own = rows[0] as OutboxWebhook;
  await scene.failFor(own, 0.95);
  await exhaust({ ...own, accountId: account }, 3, 3);
  await report();
  await deactivate(own);
  await report();
  expect(await scene.reported(account)).toEqual([]);
});

test("a kill before the commit says nothing, and then it is said once", async () => {
  const webhook = await webhookOf(account);
  await scene.failFor(webhook, 0.6);
  const killed = new Error("killed");
  const pool = withQueries((of, given) => {
    const [first] = given as [string | { text: string }];
    const text = typeof first === "string" ? first : first.text;
    if (/^\s*COMMIT/i.test(text)) return of.query("ROLLBACK").then(() => Promise.reject(killed));
    return undefined;
  });
  await expect(scene.report({ pool })).rejects.toThrow("killed");
  expect(await scene.reported(account)).toEqual([]);
  await report();
  expect(await typesOf(account)).toEqual(["webhook.failing"]);
});

test("two processes at the same time say it once", async () => {
  const webhooks = await Promise.all(Array.from({ length: 30 }, () => webhookOf(account)));
  for (const webhook of webhooks) await scene.failFor(webhook, 0.6);
  await Promise.all([scene.report(), scene.report(), scene.report({ atOnce: 7 })]);
  await report();
  expect(await scene.reported(account)).toHaveLength(30);
});

test("an account with much to be reported does not keep others waiting", async () => {
  const many = await Promise.all(Array.from({ length: 20 }, () => webhookOf(account)));
  const one = await webhookOf(other);
  for (const webhook of many) await scene.failFor(webhook, 0.9);
  await scene.failFor(one, 0.6);
  await scene.report({ atOnce: 4 });
  expect([(await typesOf(account)).length, (await typesOf(other)).length]).toEqual([4, 1]);
  for (let turn = 0; turn < 6; turn += 1) await scene.report({ atOnce: 4 });
  expect((await scene.reported(account)).map(({ data }) => data.webhookId).sort()).toEqual(
    many.map(({ id }) => id).sort(),
  );
});

test("an account whose comparison fails at the database's time limit keeps nobody else waiting, and is notified once it no longer fails", async () => {
  for (const one of [account, other]) await scene.failFor(await webhookOf(one), 0.6);
  const { rows } = await query("SELECT id FROM webhooks WHERE account_id = $1 AND chain_id = 'operational'", [account]);
  const costly: unknown = rows[0]?.id;
  const pool = withQueries((of, given) => {
    const [{ name, values }] = given as [{ name?: string; values?: unknown[][] }];
    if (name === "operational-webhooks" && values?.[0]?.includes(costly))
      return of.query("SET LOCAL statement_timeout = 1; SELECT pg_sleep(1)");
    return undefined;
  });
  const alone = new Map<number, number>();
  await expect(scene.report({ pool, alone })).rejects.toThrow("statement timeout");
  expect([await typesOf(account), await typesOf(other)]).toEqual([[], ["webhook.failing"]]);
  expect(alone.has(account)).toBe(true);
  // It is not tried again and again.
  expect(await scene.report({ pool, alone: new Map([[account, Number.POSITIVE_INFINITY]]) })).toBe(0);
  alone.set(account, 0);
  expect(await scene.report({ alone })).toBe(1);
  expect(await typesOf(account)).toEqual(["webhook.failing"]);
});

test("an account that is arriving here keeps nobody waiting", async () => {
  await scene.failFor(await webhookOf(other), 0.6);
  await query("UPDATE accounts SET move_state = 'left' WHERE id = $1", [account]);
  const arriving = await outbox.pool.connect();
  try {
    await arriving.query("BEGIN");
    await setMoveState(arriving, account, "arriving");
    expect(await Promise.race([scene.report(), new Promise((resolve) => setTimeout(resolve, 5_000, "waits"))])).toBe(1);
  } finally {
    await arriving.query("ROLLBACK");
    arriving.release();
  }
});

test("an account on its way to another cell is notified of nothing here", async () => {
  await scene.failFor(await webhookOf(account), 0.6);
  await query("UPDATE accounts SET move_state = 'leaving' WHERE id = $1", [account]);
  await report();
  expect(await scene.reported(account)).toEqual([]);
});
