/** Continues reading the backlogs of endpoints that have room again. Accounts take turns. */
import { readBacklogs } from "../store/delivery/backlog.ts";
import { type Account, hasMemory } from "./account.ts";
import type { BacklogPage } from "./backlog.ts";
import type { Endpoint } from "./endpoint.ts";
import { busyAccounts, type FeedContext, memoryForBacklogs, type OwnedShard } from "./feed-context.ts";
import { firstAttempt, type QueuedNotification } from "./queued-notification.ts";
import { windowOf } from "./shard.ts";
import { readPositionOf } from "./stream-window.ts";

const webhooksAtOnce = 64;

type Candidate = { shard: OwnedShard; endpoint: Endpoint; count: number };
type PageRead = Candidate & { page: BacklogPage; upTo: number };

/** @returns whether a backlog holds more that there is room for */
export async function readBacklogPages(context: FeedContext, open: readonly OwnedShard[]): Promise<boolean> {
  const { pool, recorder, sender } = context;
  const reads = nextPages(context, open);
  if (reads.length === 0) return false;
  const found = await readBacklogs(
    pool,
    reads.map(({ endpoint: { webhookId }, page: { from }, upTo, count }) => ({ webhookId, from, upTo, count })),
  );
  const texts = await context.texts.byAccount(
    reads.flatMap(({ endpoint: { webhookId, account } }) =>
      (found.get(webhookId) ?? []).flatMap((row) => (row.attempted ? [] : [{ ...row, accountId: account.id }])),
    ),
  );
  for (const { shard, endpoint, page, upTo, count } of reads) {
    // The endpoint was forgotten meanwhile.
    if (shard.endpoints.get(endpoint.webhookId) !== endpoint) continue;
    const rows = found.get(endpoint.webhookId) ?? [];
    const tooMuch = rows.findIndex(({ attempted, eventId }) => !attempted && !texts.has(eventId));
    const read = tooMuch < 0 ? rows : rows.slice(0, tooMuch);
    const notifications = read.flatMap((row): QueuedNotification[] => {
      const text = row.attempted ? undefined : texts.get(row.eventId);
      return text === undefined ? [] : [firstAttempt(row, text, { from: "backlog" })];
    });
    const isCaughtUp = upTo === readPositionOf(windowOf(shard, endpoint.chainId), endpoint.account.id);
    const isEnd = tooMuch < 0 && rows.length < count && isCaughtUp;
    if (!endpoint.enqueuePage(page, notifications, { last: read.at(-1)?.sequence, isEnd })) continue;
    recorder.noteChange(endpoint);
    sender.schedule(endpoint);
  }
  const now = performance.now();
  return reads.length === webhooksAtOnce || reads.some(({ endpoint }) => endpoint.backlogWanted(now) > 0);
}

function nextPages(context: FeedContext, open: readonly OwnedShard[]): PageRead[] {
  const now = performance.now();
  const busy = busyAccounts(context, open);
  const byAccount = new Map<Account, Candidate[]>();
  for (const shard of open) {
    for (const endpoint of shard.backlogged) {
      if (!endpoint.backlog.isParked || !endpoint.isActive) {
        shard.backlogged.delete(endpoint);
        continue;
      }
      const { account } = endpoint;
      const count = endpoint.backlogWanted(now);
      if (count === 0 || busy.has(account) || !hasMemory(account, memoryForBacklogs)) continue;
      const candidates = byAccount.get(account);
      if (candidates) candidates.push({ shard, endpoint, count });
      else byAccount.set(account, [{ shard, endpoint, count }]);
    }
  }
  const lists = [...byAccount.values()].map((candidates) => candidates.sort(byTurn));
  lists.sort(([a], [b]) => (a && b ? byTurn(a, b) : 0));
  return roundRobin(lists, webhooksAtOnce).map(({ shard, endpoint, count }) => {
    const upTo = readPositionOf(windowOf(shard, endpoint.chainId), endpoint.account.id);
    return { shard, endpoint, count, upTo, page: endpoint.openPage(now) };
  });
}

/** The account read longest ago comes first. */
function byTurn(a: Candidate, b: Candidate): number {
  return a.endpoint.backlog.readAt - b.endpoint.backlog.readAt;
}

/** @returns at most `limit` items: the first of each list, then the second of each, and so on */
function roundRobin<T>(lists: readonly (readonly T[])[], limit: number): T[] {
  const taken: T[] = [];
  for (let nth = 0; ; nth += 1) {
    const before = taken.length;
    for (const list of lists) {
      if (taken.length >= limit) return taken;
      if (nth < list.length) taken.push(list[nth] as T);
    }
    if (taken.length === before) return taken;
  }
}
