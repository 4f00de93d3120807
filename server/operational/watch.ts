/**
 * Reports to accounts what happens to their webhooks. Every few seconds it compares the state on record with what was last said, of accounts that have an
 * operational webhook, and records the differences as notifications of that webhook. What was said is written in the same transaction, so a kill at any
 * moment loses and repeats nothing. One process does so at a time, by a lease.
 *
 * What may happen many times is said once with a count, and what ends and begins again is said once a minute, so nobody is flooded.
 */
import { randomUUID } from "node:crypto";
import type { components } from "../../generated/types.ts";
import type { Logger } from "../base/log.ts";
import { createPause } from "../base/pause.ts";
import type { Quotas } from "../settings/limits.ts";
import { dayMs } from "../settings/periods.ts";
import { isDatabaseUnavailable, isStatementTimeout } from "../store/database-errors.ts";
import { holdLeases, type Lease } from "../store/lease-holder.ts";
import {
  type ApartDifference,
  type Bounds,
  type ChainDifference,
  type EndedReplay,
  type ExhaustedDifference,
  forgetSaid,
  type HistoryDifference,
  holdOperational,
  type ListeningAccount,
  listWithOperational,
  operationalChain,
  type QuotaDifference,
  quotaSteps,
  readApartDifferences,
  readChainDifferences,
  readExhausted,
  readHistoryDifferences,
  readQuotas,
  readUnattendedLanes,
  readWebhookDifferences,
  type SaidState,
  takeEndedReplays,
  type WebhookDifference,
  writeSaid,
} from "../store/operational.ts";
import { appendNotifications } from "../store/outbox/append.ts";
import { inTransaction, type Pool, type Queryable } from "../store/pool.ts";

type OperationalEvent = components["schemas"]["OperationalEvent"];

/** How many accounts are compared in one transaction. */
const accountsAtOnce = 50;
/** In ms: what takes longer for accounts together shows which of them it is, and what takes longer for one account is done less often. */
const slow = { together: 1_000, alone: 100 };
/** How much longer an account whose comparison is slow or fails waits for the next one than that took. */
const restFactor = 9;

type WatchOptions = {
  pool: Pool;
  /** How long an endpoint fails before its webhook becomes inactive. */
  inactiveAfterDays: number;
  /** For accounts without their own. */
  quotas?: Quotas | undefined;
  /** Called after something was said. */
  onSaid?: () => void;
  /** How soon something that has ended may begin again, and how soon a count is said again, in ms. */
  holdMs?: number;
  /** How many differences of each kind are said to an account in one transaction. */
  atOnce?: number;
  /**
   * Lanes that no process follows, and since when each comparison has found that, by `performance.now()`. Kept from one comparison to the next. At once
   * it would be said of all lanes after a clock's jump or an outage, until those who follow have renewed their leases.
   */
  unattended?: Map<string, number>;
  /** How long each comparison must have found it, in ms. */
  unattendedMs?: number;
  /** Accounts that are compared alone, and when next, by `performance.now()`. Kept from one comparison to the next. */
  alone?: Map<number, number>;
};

/** Starts to report. A failing database does not end it: everything is retried. @param options.everyMs how often */
export function startReporting(options: WatchOptions & { log: Logger; leaseSeconds: number; everyMs?: number }): {
  stop(): Promise<void>;
} {
  const { pool, log, leaseSeconds, everyMs = 5_000 } = options;
  async function work(lease: Lease): Promise<void> {
    const pause = createPause();
    const alone = new Map<number, number>();
    const unattended = new Map<string, number>();
    lease.stopping.addEventListener("abort", pause.wake, { once: true });
    while (!lease.stopping.aborted) {
      await reportAll(
        { ...options, unattended, unattendedMs: leaseSeconds * 1_000 + everyMs, alone },
        () => !lease.stopping.aborted && lease.isOwned(),
      ).catch((err: unknown) => log.warn({ err }, "operational events could not be recorded; it will be retried"));
      if (!lease.stopping.aborted) await pause.wait(everyMs);
    }
  }
  // It waits for another process longer than blocks and deliveries do, a minute mostly, and so costs an idle one less.
  const seconds = Math.max(leaseSeconds, Math.min(60, 6 * leaseSeconds));
  return holdLeases({ pool, kind: "operational", keys: ["all"], seconds, log, work });
}

/**
 * Compares once for all accounts. Where it fails or is slow for some together, each of them is compared alone, after all others: none keeps
 * the others from being reported.
 *
 * @param mayGoOn asked before each part
 * @returns how many events were recorded
 * @throws the last failure, once all others were reported; at once if the database is away
 */
export async function reportAll(options: WatchOptions, mayGoOn: () => boolean = () => true): Promise<number> {
  const { pool, onSaid = () => undefined, alone = new Map<number, number>() } = options;
  let said = 0;
  let failure: { error: unknown } | undefined;
  let silent: readonly string[] = [];
  /** @returns how long it took, and whether it failed */
  const reportTo = async (accountIds: readonly number[]): Promise<{ ms: number; failed: boolean }> => {
    const startedAt = performance.now();
    const error = await inTransaction(pool, (db) => report(db, accountIds, options, silent)).then(
      (count) => {
        if (count > 0) onSaid();
        said += count;
      },
      (thrown: unknown) => ({ thrown }),
    );
    if (error && isDatabaseUnavailable(error.thrown) && !isStatementTimeout(error.thrown)) throw error.thrown;
    if (error) failure = { error: error.thrown };
    return { ms: performance.now() - startedAt, failed: error !== undefined };
  };
  const there = new Set<number>();
  for (let after = 0; mayGoOn(); ) {
    const accountIds = await listWithOperational(pool, after, accountsAtOnce);
    const last = accountIds.at(-1);
    if (last === undefined) break;
    if (after === 0) silent = await longUnattended(options);
    for (const id of accountIds) there.add(id);
    after = last;
    const together = accountIds.filter((id) => !alone.has(id));
    if (together.length === 0) continue;
    const { ms, failed } = await reportTo(together);
    if (failed || ms > slow.together) for (const id of together) alone.set(id, 0);
  }
  for (const [id, notBefore] of [...alone]) {
    if (!mayGoOn()) break;
    if (notBefore > performance.now()) continue;
    const { ms, failed } = there.has(id) ? await reportTo([id]) : { ms: 0, failed: false };
    if (failed || ms > slow.alone) alone.set(id, performance.now() + ms * restFactor);
    else alone.delete(id);
  }
  if (failure) throw failure.error;
  return said;
}

/** @returns the lanes that no process has followed for so long that it is said */
async function longUnattended({ pool, unattended = new Map(), unattendedMs = 0 }: WatchOptions): Promise<string[]> {
  const lanes = new Set(await readUnattendedLanes(pool));
  for (const lane of unattended.keys()) if (!lanes.has(lane)) unattended.delete(lane);
  const now = performance.now();
  for (const lane of lanes) if (!unattended.has(lane)) unattended.set(lane, now);
  return [...lanes].filter((lane) => now - (unattended.get(lane) ?? now) >= unattendedMs);
}

/** Something to say, and what counts as said then; without a type, there is nothing to say. */
type Saying = {
  op: string;
  kind: string;
  subject: string;
  state: SaidState;
  event?: Pick<OperationalEvent, "type" | "message" | "data">;
};

async function report(
  db: Queryable,
  accountIds: readonly number[],
  { inactiveAfterDays, quotas, holdMs = 60_000, atOnce = 50 }: WatchOptions,
  unattended: readonly string[],
): Promise<number> {
  const listening = await holdOperational(db, accountIds);
  const ops = listening.map(({ id }) => id);
  const bounds: Bounds = { holdMs, atOnce };
  const failingLimitMs = inactiveAfterDays * dayMs;
  const sayings: Saying[] = [
    ...(await readApartDifferences(db, ops, bounds)).map(ofApart),
    ...(quotas ? await readQuotas(db, ops, quotas, bounds) : []).flatMap(ofQuota),
    ...(await readHistoryDifferences(db, ops, bounds)).map(ofHistory),
    ...(await readChainDifferences(db, ops, { ...bounds, unattended })).map(ofChain),
    ...(await readExhausted(db, ops, bounds)).map(ofExhausted),
    ...(await readWebhookDifferences(db, ops, { ...bounds, failingLimitMs })).map((one) =>
      ofWebhook(one, failingLimitMs),
    ),
  ];
  const replays = (await takeEndedReplays(db, ops, bounds)).map(ofReplay);
  if (sayings.length === 0 && replays.length === 0) {
    await forgetSaid(db, ops, holdMs);
    return 0;
  }
  await writeSaid(db, sayings);
  return append(db, listening, [...sayings, ...replays]);
}

async function append(
  db: Queryable,
  listening: readonly ListeningAccount[],
  sayings: readonly Pick<Saying, "op" | "subject" | "event">[],
): Promise<number> {
  const shards = new Map(listening.map(({ id, shard }) => [id, shard]));
  const createdAt = Date.now();
  const notifications = sayings.flatMap(({ op, subject, event }) => {
    const shard = shards.get(op);
    if (!event || shard === undefined) return [];
    const { type, message, data } = event;
    const body = JSON.stringify({ type, createdAt, subject, message, data });
    return {
      ...{ webhookId: op, shard, messageId: randomUUID(), occurrence: 0 },
      event: { ...ofNoBlock, body },
    };
  });
  if (notifications.length > 0) await appendNotifications(db, operationalChain, notifications);
  return notifications.length;
}

const ofNoBlock = { blockNumber: 0, blockHash: "0x", transactionHash: "0x", transactionIndex: 0, removed: false };

function ofWebhook(
  { op, subject, said, webhookId, now, percent, since, reason, status, statusReason }: WebhookDifference,
  failingLimitMs: number,
): Saying {
  const of = { op, kind: "webhook", subject };
  if (now === "failing" && percent !== null && since !== null)
    return {
      ...of,
      state: { state: now, percent, since },
      event: {
        type: "webhook.failing",
        message: `Every attempt to reach the endpoint of webhook ${webhookId} has failed for ${percent} % of the time after which it becomes inactive.`,
        data: { webhookId, percent, failingSince: since, deactivatesAt: since + failingLimitMs },
      },
    };
  if (now === "inactive" || status === "inactive") {
    const because = reason ?? statusReason ?? "requested";
    return {
      ...of,
      state: { state: "inactive", ...(since !== null && { since }) },
      event: {
        type: "webhook.deactivated",
        message: `Webhook ${webhookId} was made inactive: ${deactivations[because] ?? because}.`,
        data: { webhookId, reason: because },
      },
    };
  }
  const how = status === null ? "deleted" : said?.state === "inactive" ? "activated" : "delivered";
  return {
    ...of,
    state: { state: "well" },
    event: {
      type: "webhook.recovered",
      message: `Webhook ${webhookId} ${recoveries[how]}.`,
      data: { webhookId, reason: how },
    },
  };
}

const deactivations: Readonly<Record<string, string>> = {
  endpoint_gone: "its endpoint answered 410",
  endpoint_failing: "every attempt to reach its endpoint failed for too long",
  address_quota_reached: "its factory created more contracts than it may watch",
  requested: "somebody asked for that while its endpoint was failing",
};

const recoveries = {
  deleted: "was deleted, so it no longer fails",
  activated: "is active again",
  delivered: "has recovered: its endpoint accepts notifications again",
} as const;

function ofExhausted({ op, subject, webhookId, count, total, lastSequence, isOrdered }: ExhaustedDifference): Saying {
  const many = count === 1 ? "1 notification" : `${count.toLocaleString("en")} notifications`;
  return {
    ...{ op, kind: "exhausted", subject, state: { state: "said", count: total } },
    event: {
      type: isOrdered ? "webhook.passed_over" : "webhook.notifications_failed",
      message: isOrdered
        ? `Webhook ${webhookId} has passed over ${many}, which used up all attempts; the last one is ${lastSequence}.`
        : `${many} of webhook ${webhookId} used up all attempts; the last one is ${lastSequence}.`,
      data: { webhookId, count, lastSequence },
    },
  };
}

function ofChain({ op, subject, chainId, now, reason, since, tracesOnly, isStopped }: ChainDifference): Saying {
  const of = { op, kind: "chain", subject };
  if (now === null || reason === null || since === null)
    return {
      ...{ ...of, state: { state: "well" } },
      event: {
        type: "chain.resumed",
        message: isStopped
          ? `Chain ${chainId} stands still, but no active webhook of the account waits for it any more.`
          : `Chain ${chainId} is followed again.`,
        data: { chainId },
      },
    };
  return {
    ...of,
    state: { state: now, since, ...(tracesOnly && { tracesOnly }) },
    event: {
      type: "chain.stopped",
      message: `Chain ${chainId} stands still: ${reason}`,
      data: { chainId, reason, since },
    },
  };
}

function ofReplay({ op, replayId, webhookId, status, reason }: EndedReplay): Pick<Saying, "op" | "subject" | "event"> {
  const isDone = status === "done";
  return {
    ...{ op, subject: `replay:${replayId}` },
    event: {
      type: isDone ? "replay.done" : "replay.failed",
      message: isDone
        ? `Replay ${replayId} of webhook ${webhookId} is done.`
        : `Replay ${replayId} of webhook ${webhookId} failed: ${reason ?? ""}`,
      data: { replayId, webhookId, ...(!isDone && { reason: reason ?? "" }) },
    },
  };
}

/** That it runs is noted, so that its end is noticed however far its beginning is by then. */
function ofHistory({ op, subject, webhookId, chainId, now, reason }: HistoryDifference): Saying {
  const of = { op, kind: "history", subject, state: { state: now } };
  if (now === "running") return of;
  const isDone = now === "done";
  return {
    ...of,
    event: {
      type: isDone ? "history.done" : "history.failed",
      message: isDone
        ? `The history of webhook ${webhookId} has reached the present.`
        : `The history of webhook ${webhookId} stands still: ${reason ?? ""}`,
      data: { webhookId, chainId, ...(!isDone && { reason: reason ?? "" }) },
    },
  };
}

const quotaNames = {
  webhooks: "webhooks",
  addresses: "addresses",
  historyBlocks: "blocks of the past within 24 hours",
  anyAddress: "webhooks with anyAddress",
  comparisons: "comparisons in conditions",
  abiBytes: "bytes of events in abi",
} as const satisfies Record<keyof Quotas, string>;

/** Once for each step, even where the use goes up and down about it. */
function ofQuota({ op, subject, said, quota, used, limit }: QuotaDifference): Saying[] {
  const { first, full, below } = quotaSteps;
  const percentUsed = used === 0 ? 0 : (used * 100) / limit;
  const before = said?.percent ?? 0;
  const percent = percentUsed >= full ? full : percentUsed >= first ? first : 0;
  const of = { op, kind: "quota", subject };
  if (percent < before) return percentUsed < before - below ? [{ ...of, state: { state: "said", percent } }] : [];
  if (percent === before) return [];
  const [of1, of2] = [used.toLocaleString("en"), limit.toLocaleString("en")];
  return [
    {
      ...{ ...of, state: { state: "said", percent } },
      event: {
        type: "quota.reached",
        message: `The account uses ${percent === full ? "all" : `${percent} %`} of its quota of ${quotaNames[quota]}: ${of1} of ${of2}.`,
        data: { quota, percent, used, limit },
      },
    },
  ];
}

function ofApart({ op, subject, chainId, now }: ApartDifference): Saying {
  const of = { op, kind: "apart", subject };
  if (now === null) return { ...of, state: { state: "well" } };
  return {
    ...{ ...of, state: { state: now } },
    event: {
      type: "account.set_apart",
      message: `The account's webhooks on chain ${chainId} cost so much that they are matched apart from others, and may be notified later.`,
      data: { chainId, reason: "costly" },
    },
  };
}
