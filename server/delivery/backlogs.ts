/** Reads on in the backlogs of endpoints that have room again. Accounts take turns. */
import { readBacklogs } from "../store/delivery/backlog.ts";
import { type Account, hasMemory } from "./account.ts";
import { backlogWanted, offerFromBacklog } from "./backlog.ts";
import { type Endpoint, firstAttempt, type Task } from "./endpoint.ts";
import { busyAccounts, type FeedContext, partForBacklogs } from "./feed-context.ts";
import { inTurn } from "./in-turn.ts";
import { type Shard, windowOf } from "./shard.ts";
import { readPositionOf } from "./window.ts";

const webhooksAtOnce = 64;

type Wanted = { shard: Shard; endpoint: Endpoint; count: number };
type Page = { shard: Shard; endpoint: Endpoint; generation: number; from: number; upTo: number; count: number };

/** @returns whether a backlog holds more that there is room for */
export async function readOnInBacklogs(context: FeedContext, open: readonly Shard[]): Promise<boolean> {
  const { pool, recorder, sender } = context;
  const pages = nextPages(context, open);
  if (pages.length === 0) return false;
  const found = await readBacklogs(
    pool,
    pages.map(({ endpoint: { webhookId }, from, upTo, count }) => ({ webhookId, from, upTo, count })),
  );
  const texts = await context.texts.byAccount(
    pages.flatMap(({ endpoint: { webhookId, account } }) =>
      (found.get(webhookId) ?? []).flatMap((row) => (row.attempted ? [] : [{ ...row, accountId: account.id }])),
    ),
  );
  for (const { shard, endpoint, generation, upTo, count } of pages) {
    // Parked anew meanwhile, or forgotten.
    if (endpoint.backlog.generation !== generation || shard.endpoints.get(endpoint.webhookId) !== endpoint) continue;
    const rows = found.get(endpoint.webhookId) ?? [];
    const tooMuch = rows.findIndex(({ attempted, eventId }) => !attempted && !texts.has(eventId));
    const page = tooMuch < 0 ? rows : rows.slice(0, tooMuch);
    const tasks = page.flatMap((row): Task[] => {
      const text = row.attempted ? undefined : texts.get(row.eventId);
      return text === undefined ? [] : [firstAttempt(row, text, { from: "backlog" })];
    });
    const isRead = upTo === readPositionOf(windowOf(shard, endpoint.chainId), endpoint.account.id);
    const isEnd = tooMuch < 0 && rows.length < count && isRead;
    offerFromBacklog(endpoint, tasks, page.at(-1)?.sequence, isEnd);
    recorder.touch(shard, endpoint);
    sender.pump(shard, endpoint);
  }
  const now = performance.now();
  return pages.length === webhooksAtOnce || pages.some(({ endpoint }) => backlogWanted(endpoint, now) > 0);
}

function nextPages(context: FeedContext, open: readonly Shard[]): Page[] {
  const now = performance.now();
  const busy = busyAccounts(context, open);
  const wanted = new Map<Account, Wanted[]>();
  for (const shard of open) {
    for (const endpoint of shard.backlogged) {
      if (!endpoint.backlog.parked || !endpoint.active) {
        shard.backlogged.delete(endpoint);
        continue;
      }
      const { account } = endpoint;
      const count = backlogWanted(endpoint, now);
      if (count === 0 || busy.has(account) || !hasMemory(account, partForBacklogs)) continue;
      const its = wanted.get(account);
      if (its) its.push({ shard, endpoint, count });
      else wanted.set(account, [{ shard, endpoint, count }]);
    }
  }
  const lists = [...wanted.values()].map((its) => its.sort(byTurn));
  lists.sort(([a], [b]) => (a && b ? byTurn(a, b) : 0));
  return inTurn(lists, webhooksAtOnce).map(({ shard, endpoint, count }) => {
    const { backlog, chainId, account } = endpoint;
    backlog.readAt = now;
    const upTo = readPositionOf(windowOf(shard, chainId), account.id);
    return { shard, endpoint, generation: backlog.generation, from: backlog.next, upTo, count };
  });
}

/** Who was read longest ago comes first. */
function byTurn(a: Wanted, b: Wanted): number {
  return a.endpoint.backlog.readAt - b.endpoint.backlog.readAt;
}
