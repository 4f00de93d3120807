/** Reads on in the backlogs of endpoints that have room again. */
import { readBacklogs } from "../store/delivery-backlog.ts";
import { backlogWanted, offerFromBacklog } from "./backlog.ts";
import { type Endpoint, firstAttempt, type Task } from "./endpoint.ts";
import { type FeedContext, isBusy, usedPart } from "./feed-context.ts";
import { type Shard, windowOf } from "./shard.ts";

const webhooksAtOnce = 64;

type Page = { shard: Shard; endpoint: Endpoint; generation: number; from: number; upTo: number; count: number };

/** @returns whether a backlog holds more that there is room for */
export async function readOnInBacklogs(context: FeedContext, open: readonly Shard[]): Promise<boolean> {
  const { pool, recorder, sender } = context;
  // The rest of the memory is the streams': dead endpoints with long backlogs must not keep them from being read.
  if (usedPart(context.load) >= 0.5 || isBusy(context, open)) return false;
  const pages = nextPages(open);
  if (pages.length === 0) return false;
  const found = await readBacklogs(
    pool,
    pages.map(({ endpoint: { webhookId }, from, upTo, count }) => ({ webhookId, from, upTo, count })),
  );
  const texts = await context.texts.of([...found.values()].flat().filter(({ attempted }) => !attempted));
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
    const isEnd = tooMuch < 0 && rows.length < count && upTo === windowOf(shard, endpoint.chainId).readPosition;
    offerFromBacklog(endpoint, tasks, page.at(-1)?.sequence, isEnd);
    recorder.touch(shard, endpoint);
    sender.pump(shard, endpoint);
  }
  const now = performance.now();
  return pages.length === webhooksAtOnce || pages.some(({ endpoint }) => backlogWanted(endpoint, now) > 0);
}

function nextPages(open: readonly Shard[]): Page[] {
  const now = performance.now();
  const pages: Page[] = [];
  for (const shard of open) {
    for (const endpoint of [...shard.backlogged]) {
      if (pages.length === webhooksAtOnce) return pages;
      if (!endpoint.backlog.parked || !endpoint.active) {
        shard.backlogged.delete(endpoint);
        continue;
      }
      const count = backlogWanted(endpoint, now);
      if (count === 0) continue;
      // Behind the others, so that each gets its turn.
      shard.backlogged.delete(endpoint);
      shard.backlogged.add(endpoint);
      const { generation, next } = endpoint.backlog;
      const { readPosition } = windowOf(shard, endpoint.chainId);
      pages.push({ shard, endpoint, generation, from: next, upTo: readPosition, count });
    }
  }
  return pages;
}
