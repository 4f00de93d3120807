/** Reads which notifications are due again. */
import { type DueRetry, type RetryLook, readDueRetries } from "../store/delivery/due-retries.ts";
import { hasMemory } from "./account.ts";
import { type Endpoint, enqueue } from "./endpoint.ts";
import { openEndpoints } from "./endpoints.ts";
import { type FeedContext, partForBacklogs } from "./feed-context.ts";
import { roomFor } from "./pace.ts";
import { isOpen, type Shard } from "./shard.ts";

/**
 * In one look at most so much, which the accounts share equally: a look that takes long holds up the next, and with that everybody's
 * retries. And at most so many retries of one webhook. The next look goes on behind them.
 */
const limits = { accounts: 16, webhooks: 400, retries: 1_000, perWebhook: 20 };
/** How often to look, in ms; and at most so large a part of the time, however long a look takes. */
const periodMs = 200;
const partOfTime = 0.2;

export type Retries = {
  /** Looks for retries, if it is time. @returns whether there may be more at once */
  look(open: readonly Shard[]): Promise<boolean>;
  /** Takes note that the outcome of a retry is on record. */
  noteRecorded(endpoint: Endpoint, sequence: number): void;
};

export function createRetries(context: FeedContext): Retries {
  const { pool, shards, sender, accounts } = context;
  let notBefore = 0;
  /** By shard the account looked at last, where it has further ones; and by account its webhook. */
  const lookedAt = new Map<number, { account: number; webhooks: Map<number, string> }>();
  /** Those whose outcome was recorded since the last look began. That look may yet show them as they were. */
  const recorded: { endpoint: Endpoint; sequence: number }[] = [];

  async function look(open: readonly Shard[]): Promise<boolean> {
    const startedAt = performance.now();
    if (startedAt < notBefore) return false;
    for (const { endpoint, sequence } of recorded.splice(0)) endpoint.retrying.delete(sequence);
    const full = [...accounts.met()].flatMap((account) => (hasMemory(account, partForBacklogs) ? [] : [account.id]));
    const turns = open.map(({ id }) => ({ shard: id, ...lookedAt.get(id) }));
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
    const more = open.map(({ id }) => noteLook(id, found, full)).includes(true);
    if (found.due.length > 0) await take(open, found.due);
    const tookMs = performance.now() - startedAt;
    notBefore = startedAt + Math.max(more ? 0 : periodMs, tookMs / partOfTime);
    return more;
  }

  /** @returns whether there may be more of the shard that was not looked at */
  function noteLook(shard: number, found: RetryLook, full: readonly number[]): boolean {
    const its = found.accounts.filter((account) => account.shard === shard);
    const account = its.length < limits.accounts ? 0 : (its.at(-1)?.accountId ?? 0);
    const before = lookedAt.get(shard);
    const webhooks = new Map(before?.webhooks);
    // All of the shard's were found, so that the others have no retries any more.
    if (account === 0 && !before?.account)
      for (const id of webhooks.keys()) if (!its.some(({ accountId }) => accountId === id)) webhooks.delete(id);
    for (const { accountId, last } of its) {
      if (last !== undefined) webhooks.set(accountId, last);
      else if (!full.includes(accountId)) webhooks.delete(accountId);
    }
    lookedAt.set(shard, { account, webhooks });
    return account > 0 || its.some(({ last }) => last !== undefined);
  }

  async function take(open: readonly Shard[], due: readonly DueRetry[]): Promise<void> {
    await openEndpoints(context, due);
    const taken: { row: DueRetry; shard: Shard; endpoint: Endpoint }[] = [];
    const byId = new Map(open.map((shard) => [shard.id, shard]));
    for (const row of due) {
      const shard = byId.get(row.shard);
      const endpoint = shard?.endpoints.get(row.webhookId);
      // A shard that was lost meanwhile may be ours again: then what was read may be out of date.
      if (!shard || !endpoint || shards.get(row.shard) !== shard || !isOpen(shard)) continue;
      const { retrying, backlog, active, pace, account } = endpoint;
      // Its first attempt may be on record without this process knowing, and somebody have asked for one more.
      if (retrying.has(row.sequence) || backlog.unsettled.has(row.sequence)) continue;
      if (
        !active ||
        !hasMemory(account, partForBacklogs) ||
        retrying.size >= Math.min(limits.perWebhook, roomFor(pace))
      )
        continue;
      retrying.add(row.sequence);
      taken.push({ row, shard, endpoint });
    }
    const rows = taken.map(({ row, endpoint }) => ({ ...row, accountId: endpoint.account.id }));
    const texts = await context.texts.byAccount(rows).catch((error: unknown) => {
      for (const { row, endpoint } of taken) endpoint.retrying.delete(row.sequence);
      throw error;
    });
    for (const { row, shard, endpoint } of taken) {
      const text = texts.get(row.eventId);
      if (text === undefined || !endpoint.active) {
        endpoint.retrying.delete(row.sequence);
        continue;
      }
      enqueue(endpoint, { ...row, text, source: { from: "retries" } });
      sender.pump(shard, endpoint);
    }
  }

  return {
    look,
    noteRecorded: (endpoint, sequence) => void recorded.push({ endpoint, sequence }),
  };
}
