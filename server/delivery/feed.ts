/** Reads what the owned shards have to send: the streams, the backlogs and the retries, none starving the others. */
import type { Logger } from "pino";
import { readBacklog, readDueRetries, readPositions, readStream, readVersions } from "../store/delivery-feed.ts";
import type { Pool } from "../store/pool.ts";
import { type Endpoint, noAttempts, offerFromBacklog, offerFromStream, type Task, wantsBacklog } from "./endpoint.ts";
import { createHoldings } from "./holdings.ts";
import type { Recorder } from "./recorder.ts";
import type { Sender } from "./sender.ts";
import { isOpen, type Shard, windowOf } from "./shard.ts";
import { createTexts } from "./texts.ts";
import { addPlace, readUpTo } from "./window.ts";

const rowsPerShard = 250;
const backlogPage = 100;
const backlogsAtOnce = 32;
const retriesPerWebhook = 20;
const retryPeriodMs = 200;
/** With so many queued in all, what waits for failing endpoints is parked; while there still are, nothing more is read. */
const queuedLimit = 10_000;

export type Feed = {
  /** Reads once everything there is room for. @returns whether there may be more at once */
  round(): Promise<boolean>;
  /** Takes note of an attempt on record: a retry may from then on come up again. */
  noteRecorded(endpoint: Endpoint, task: Task): void;
};

export function createFeed(context: {
  pool: Pool;
  log: Logger;
  shards: ReadonlyMap<number, Shard>;
  recorder: Recorder;
  sender: Sender;
}): Feed {
  const { pool, shards, recorder, sender } = context;
  const holdings = createHoldings(context);
  const textsOf = createTexts(context);
  const settledRetries: { endpoint: Endpoint; sequence: number }[] = [];
  let retriesReadAt = 0;

  async function round(): Promise<boolean> {
    const open = [...shards.values()].filter(isOpen);
    if (open.length === 0) return false;
    const ids = open.map(({ id }) => id);
    const [positions, versions] = await Promise.all([readPositions(pool), readVersions(pool, ids)]);
    for (const shard of open) {
      const version = versions.get(shard.id) ?? 0;
      if (version !== shard.version) await holdings.refresh(shard, version);
    }
    await holdings.discover(open);
    let more = false;
    for (const [chainId, upTo] of positions) more = (await readOn(open, chainId, upTo)) || more;
    more = (await readBacklogs(open)) || more;
    if (performance.now() - retriesReadAt >= retryPeriodMs) await readRetries(open);
    return more;
  }

  /** @returns whether the stream may hold more */
  async function readOn(open: readonly Shard[], chainId: string, upTo: number): Promise<boolean> {
    const all = open.map((shard) => ({ shard, window: windowOf(shard, chainId) }));
    const behind = all.filter(({ window }) => window.readPosition < upTo);
    if (behind.length === 0 || !hasRoom(open)) return false;
    const from = behind.map(({ shard, window }) => ({ shard: shard.id, position: window.readPosition }));
    const since = behind.map(({ window }) => window.readDay).reduce((a, b) => (a < b ? a : b));
    const recovering = behind.some(({ window }) => window.readPosition < window.recoverUpTo);
    const rows = await readStream(pool, chainId, from, { upTo, since, limit: rowsPerShard, recovering });
    await holdings.open(rows);
    const texts = await textsOf(rows.filter(({ attempted }) => !attempted));
    const asked = new Map(behind.map(({ shard }) => [shard.id, shard]));
    const counts = new Map<number, number>();
    for (const row of rows) {
      const shard = asked.get(row.shard);
      // Lost meanwhile, and perhaps taken again: then it is read anew.
      if (!shard || shards.get(shard.id) !== shard) continue;
      counts.set(shard.id, (counts.get(shard.id) ?? 0) + 1);
      offer(shard, chainId, row, texts.get(row.eventId));
    }
    const newestDay = rows.reduce((day, { recordedOn }) => (recordedOn > day ? recordedOn : day), "");
    for (const { shard, window } of behind) {
      if ((counts.get(shard.id) ?? 0) < rowsPerShard) readUpTo(window, upTo, newestDay);
      holdings.trim(shard);
    }
    return [...counts.values()].some((count) => count >= rowsPerShard);
  }

  function offer(
    shard: Shard,
    chainId: string,
    row: Awaited<ReturnType<typeof readStream>>[number],
    text: string | undefined,
  ): void {
    const place = addPlace(windowOf(shard, chainId), row);
    const endpoint = shard.endpoints.get(row.webhookId);
    if (row.attempted || !endpoint || text === undefined) {
      place.done = true;
      return;
    }
    offerFromStream(endpoint, { ...row, ...noAttempts, text, source: { from: "stream", place } });
    if (endpoint.parked || endpoint.parkedPlaces.length > 0) holdings.noteParked(shard, endpoint);
    sender.pump(shard, endpoint);
  }

  function hasRoom(open: readonly Shard[]): boolean {
    const queued = () => {
      let sum = 0;
      for (const { endpoints } of open) for (const { queue } of endpoints.values()) sum += queue.length;
      return sum;
    };
    if (queued() < queuedLimit) return true;
    for (const shard of open) holdings.parkFailing(shard);
    return queued() < queuedLimit;
  }

  /** @returns whether a backlog holds more that could be sent */
  async function readBacklogs(open: readonly Shard[]): Promise<boolean> {
    const wanting: { shard: Shard; endpoint: Endpoint }[] = [];
    for (const shard of open) {
      for (const endpoint of shard.backlogged) {
        if (!endpoint.parked) shard.backlogged.delete(endpoint);
        else if (wantsBacklog(endpoint)) wanting.push({ shard, endpoint });
      }
    }
    await Promise.all(wanting.slice(0, backlogsAtOnce).map(({ shard, endpoint }) => readBacklogOf(shard, endpoint)));
    return wanting.some(({ endpoint }) => wantsBacklog(endpoint));
  }

  async function readBacklogOf(shard: Shard, endpoint: Endpoint): Promise<void> {
    const { generation, next } = endpoint;
    endpoint.reading = true;
    try {
      const { rows, lastSequence } = await readBacklog(pool, endpoint.webhookId, next, backlogPage);
      const texts = await textsOf(rows);
      if (generation !== endpoint.generation || shard.endpoints.get(endpoint.webhookId) !== endpoint) return;
      const tasks = rows.flatMap((row): Task[] => {
        const text = texts.get(row.eventId);
        return text === undefined ? [] : [{ ...row, ...noAttempts, text, source: { from: "backlog" } }];
      });
      offerFromBacklog(endpoint, tasks, next + backlogPage, lastSequence);
      // The first to be served goes behind the others, so that each has its turn.
      shard.backlogged.delete(endpoint);
      holdings.noteParked(shard, endpoint);
      recorder.touch(shard, endpoint);
      sender.pump(shard, endpoint);
    } finally {
      endpoint.reading = false;
    }
  }

  async function readRetries(open: readonly Shard[]): Promise<void> {
    retriesReadAt = performance.now();
    // What was recorded before this look is seen by it; only now may these sequences come up again.
    for (const { endpoint, sequence } of settledRetries.splice(0)) endpoint.retrying.delete(sequence);
    const ids = open.map(({ id }) => id);
    const rows = await readDueRetries(pool, ids, retriesPerWebhook);
    await holdings.open(rows);
    const texts = await textsOf(rows);
    for (const row of rows) {
      const shard = shards.get(row.shard);
      const endpoint = shard?.endpoints.get(row.webhookId);
      const text = texts.get(row.eventId);
      if (!shard || !endpoint?.active || text === undefined || endpoint.retrying.has(row.sequence)) continue;
      endpoint.retrying.add(row.sequence);
      endpoint.queue.push({ ...row, text, source: { from: "retries" } });
      sender.pump(shard, endpoint);
    }
  }

  return {
    round,
    noteRecorded(endpoint, { source, sequence }) {
      if (source.from === "retries") settledRetries.push({ endpoint, sequence });
    },
  };
}
