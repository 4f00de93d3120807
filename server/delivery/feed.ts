/** Reads what the owned shards have to send: the streams, the backlogs and the retries, each without starving the others. */
import { readBackloggedWebhooks } from "../store/delivery-backlog.ts";
import { readHeads } from "../store/delivery-feed.ts";
import { readOnInBacklogs } from "./backlogs.ts";
import type { Endpoint } from "./endpoint.ts";
import { forgetIdle, openEndpoints, refreshEndpoints } from "./endpoints.ts";
import { type FeedContext, isBusy } from "./feed-context.ts";
import { createRetries } from "./retries.ts";
import { isOpen, type Shard } from "./shard.ts";
import { readStreams } from "./stream.ts";
import { createTexts } from "./texts.ts";

export type Feed = {
  /** Reads once everything there is room for. @returns whether there may be more at once */
  round(): Promise<boolean>;
  /** Takes note that the outcome of a retry is on record: it may from then on come up again. */
  noteRetryRecorded(endpoint: Endpoint, sequence: number): void;
};

/** While there is enough to send, how often to look all the same: for webhooks that have changed. */
const busyPeriodMs = 100;

export function createFeed(options: Omit<FeedContext, "texts">): Feed {
  const { pool, shards, recorder, sender, log } = options;
  const context: FeedContext = { ...options, texts: createTexts(pool, log) };
  const retries = createRetries(context);
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function round(): Promise<boolean> {
    const open = [...shards.values()].filter(isOpen);
    if (open.length === 0) return false;
    sender.pumpRested();
    const isDue = performance.now() - lookedAt >= busyPeriodMs || !isBusy(context, open);
    let more = isDue && (await readOn(open));
    more = (await retries.look(open)) || more;
    recorder.tick();
    forgetIdle(open);
    return more;
  }

  /** Reads what is new in the tables, but for retries. */
  async function readOn(open: readonly Shard[]): Promise<boolean> {
    lookedAt = performance.now();
    const { positions, versions, today } = await readHeads(
      pool,
      open.map(({ id }) => id),
    );
    for (const shard of open) {
      const version = versions.get(shard.id) ?? 0;
      if (version !== shard.version) await refreshEndpoints(context, shard, version);
    }
    await discoverBacklogs(open.filter((shard) => shard.undiscovered));
    let more = false;
    for (const [chainId, upTo] of positions)
      more = (await readStreams(context, open, { chainId, upTo, today })) || more;
    return (await readOnInBacklogs(context, open)) || more;
  }

  async function discoverBacklogs(undiscovered: readonly Shard[]): Promise<void> {
    if (undiscovered.length === 0) return;
    const ids = undiscovered.map(({ id }) => id);
    await openEndpoints(context, await readBackloggedWebhooks(pool, ids));
    for (const shard of undiscovered) shard.undiscovered = false;
  }

  return { round, noteRetryRecorded: retries.noteRecorded };
}
