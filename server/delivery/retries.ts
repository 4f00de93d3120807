/** Reads which notifications are due again. */
import { type DueRetry, readDueRetries } from "../store/due-retries.ts";
import { hasMemory } from "./account.ts";
import { type Endpoint, enqueue } from "./endpoint.ts";
import { openEndpoints } from "./endpoints.ts";
import { type FeedContext, partForBacklogs } from "./feed-context.ts";
import { roomFor } from "./pace.ts";
import { isOpen, type Shard } from "./shard.ts";

/** In one look so many webhooks of a shard, and so many retries of each; the next look goes on behind them. */
const webhooksPerShard = 50;
const retriesPerWebhook = 20;
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
  const { pool, shards, sender } = context;
  let notBefore = 0;
  /** By shard the webhook looked at last. */
  const lookedAt = new Map<number, string>();
  /** Those whose outcome was recorded since the last look began. That look may yet show them as they were. */
  const recorded: { endpoint: Endpoint; sequence: number }[] = [];

  async function look(open: readonly Shard[]): Promise<boolean> {
    const startedAt = performance.now();
    if (startedAt < notBefore) return false;
    for (const { endpoint, sequence } of recorded.splice(0)) endpoint.retrying.delete(sequence);
    const found = await readDueRetries(
      pool,
      open.map(({ id }) => ({ shard: id, webhookId: lookedAt.get(id) })),
      { webhooks: webhooksPerShard, perWebhook: retriesPerWebhook },
    );
    let more = false;
    for (const { id } of open) {
      const looked = found.filter(({ shard }) => shard === id);
      const last = looked.at(-1);
      if (last && looked.length === webhooksPerShard) {
        lookedAt.set(id, last.webhookId);
        more = true;
      } else {
        lookedAt.delete(id);
      }
    }
    const due = found.flatMap((webhook) => webhook.due);
    if (due.length > 0) await take(open, due);
    const tookMs = performance.now() - startedAt;
    notBefore = startedAt + Math.max(more ? 0 : periodMs, tookMs / partOfTime);
    return more;
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
        retrying.size >= Math.min(retriesPerWebhook, roomFor(pace))
      )
        continue;
      retrying.add(row.sequence);
      taken.push({ row, shard, endpoint });
    }
    const texts = await context.texts.of(taken.map(({ row }) => row)).catch((error: unknown) => {
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
