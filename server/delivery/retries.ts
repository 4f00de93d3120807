/** Reads the notifications that are due again. */
import { type DueRetry, type RetryLook, readDueRetries } from "../store/delivery/due-retries.ts";
import { hasMemory } from "./account.ts";
import type { Endpoint } from "./endpoint.ts";
import { openEndpoints } from "./endpoints.ts";
import { type FeedContext, memoryForBacklogs, type OwnedShard } from "./feed-context.ts";
import { isOpen } from "./shard.ts";

/**
 * The limits of one read. The accounts share it equally, because a long read delays the next one, and so everybody's retries. The
 * next read continues after it.
 */
const limits = { accounts: 16, webhooks: 400, retries: 1_000, perWebhook: 20 };
/** The time between two reads, in ms, and the part of the time that reads may take, however long one is. */
const periodMs = 200;
const partOfTime = 0.2;

export type Retries = {
  /** Reads due retries, if it is time. @returns whether to read again immediately */
  look(open: readonly OwnedShard[]): Promise<boolean>;
  /** In how many ms the next retry is due that looks have seen; not above 0 if one may be due now. */
  nextInMs(): number;
};

export function createRetries(context: FeedContext): Retries {
  const { pool, shards, sender, accounts } = context;
  let notBefore = 0;
  /** By `performance.now()`. */
  let nextDueAt = 0;
  let hadMore = false;
  /** By shard: the account read last, if it has further ones; and by account the webhook read last. */
  const readLast = new Map<number, { account: number; webhooks: Map<number, string> }>();

  async function look(open: readonly OwnedShard[]): Promise<boolean> {
    const startedAt = performance.now();
    if (startedAt < notBefore) return false;
    for (const shard of open) shard.retryLooks += 1;
    const full = [...accounts.known()].flatMap((account) =>
      hasMemory(account, memoryForBacklogs) ? [] : [account.id],
    );
    const turns = open.map(({ id }) => ({ shard: id, ...readLast.get(id) }));
    const found = await readDueRetries(
      pool,
      {
        shards: turns.map(({ shard, account = 0 }) => ({ shard, afterAccount: account })),
        accounts: turns.flatMap(({ shard, webhooks = [] }) =>
          [...webhooks].map(([accountId, afterWebhook]) => ({ shard, accountId, afterWebhook })),
        ),
        without: full,
      },
      limits,
    );
    const more = open.map(({ id }) => noteRead(id, found, full)).includes(true);
    if (found.due.length > 0) await enqueue(open, found.due);
    const dueAt = found.due.length > 0 ? 0 : startedAt + found.nextInMs;
    // A look that goes on behind another one sees only the rest.
    nextDueAt = hadMore ? Math.min(nextDueAt, dueAt) : dueAt;
    hadMore = more;
    const tookMs = performance.now() - startedAt;
    notBefore = startedAt + Math.max(more ? 0 : periodMs, tookMs / partOfTime);
    return more;
  }

  /** @returns whether the shard may have more that this read did not reach */
  function noteRead(shard: number, found: RetryLook, full: readonly number[]): boolean {
    const inShard = found.accounts.filter((account) => account.shard === shard);
    const account = inShard.length < limits.accounts ? 0 : (inShard.at(-1)?.accountId ?? 0);
    const before = readLast.get(shard);
    const webhooks = new Map(before?.webhooks);
    // The read found all accounts of the shard, so the others have no retries any more.
    if (account === 0 && !before?.account)
      for (const id of webhooks.keys()) if (!inShard.some(({ accountId }) => accountId === id)) webhooks.delete(id);
    for (const { accountId, last } of inShard) {
      if (last !== undefined) webhooks.set(accountId, last);
      else if (!full.includes(accountId)) webhooks.delete(accountId);
    }
    readLast.set(shard, { account, webhooks });
    return account > 0 || inShard.some(({ last }) => last !== undefined);
  }

  async function enqueue(open: readonly OwnedShard[], due: readonly DueRetry[]): Promise<void> {
    await openEndpoints(context, due);
    const reserved: { row: DueRetry; endpoint: Endpoint }[] = [];
    const byId = new Map(open.map((shard) => [shard.id, shard]));
    for (const row of due) {
      const shard = byId.get(row.shard);
      const endpoint = shard?.endpoints.get(row.webhookId);
      // A shard that was lost meanwhile may be ours again. The read may then be out of date.
      if (!shard || !endpoint || shards.get(row.shard) !== shard || !isOpen(shard)) continue;
      if (!hasMemory(endpoint.account, memoryForBacklogs)) continue;
      if (endpoint.reserveRetry(row, limits.perWebhook)) reserved.push({ row, endpoint });
    }
    const rows = reserved.map(({ row, endpoint }) => ({ ...row, accountId: endpoint.account.id }));
    const texts = await context.texts.byAccount(rows).catch((error: unknown) => {
      for (const { row, endpoint } of reserved) endpoint.releaseRetry(row.sequence);
      throw error;
    });
    /** Ordered endpoints of which one retry waits for the next read: so do the ones behind it. */
    const cut = new Set<Endpoint>();
    for (const { row, endpoint } of reserved) {
      const eventText = texts.get(row.eventId);
      if (eventText === undefined || !endpoint.isActive || cut.has(endpoint)) {
        if (endpoint.isOrdered) cut.add(endpoint);
        endpoint.releaseRetry(row.sequence);
        continue;
      }
      endpoint.enqueue({ ...row, eventText, source: { from: "retries" } });
      sender.schedule(endpoint);
    }
  }

  return { look, nextInMs: () => nextDueAt - performance.now() };
}
