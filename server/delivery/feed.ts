/** Reads what the owned shards have to send: the streams, the backlogs and the retries, each without starving the others. */
import type { Logger } from "pino";
import {
  type FeedRow,
  readBacklog,
  readBackloggedWebhooks,
  readDueRetries,
  readEventTexts,
  readPositions,
  readStream,
  readVersions,
} from "../store/delivery-feed.ts";
import { readEndpoints } from "../store/endpoint-states.ts";
import type { Pool } from "../store/pool.ts";
import {
  type Endpoint,
  isIdle,
  noAttempts,
  offerFromBacklog,
  offerFromStream,
  openEndpoint,
  park,
  refreshEndpoint,
  type Task,
  wantsBacklog,
} from "./endpoint.ts";
import type { Recorder } from "./recorder.ts";
import type { Sender } from "./sender.ts";
import { isOpen, type Shard, windowOf } from "./shard.ts";
import { addPlace } from "./window.ts";

const rowsPerShard = 250;
const backlogPage = 100;
const retriesPerWebhook = 20;
const retryPeriodMs = 200;
/** With so many queued in all, what waits for slow endpoints is parked; while there still are, nothing more is read. */
const queuedLimit = 10_000;
const cachedTexts = 2_000;

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
  const { pool, log, shards, recorder, sender } = context;
  const texts = new Map<number, string>();
  let retriesReadAt = 0;
  const settledRetries: { endpoint: Endpoint; sequence: number }[] = [];

  async function round(): Promise<boolean> {
    const open = [...shards.values()].filter(isOpen);
    if (open.length === 0) return false;
    const [positions, versions] = await Promise.all([
      readPositions(pool),
      readVersions(
        pool,
        open.map(({ id }) => id),
      ),
    ]);
    for (const shard of open) {
      const version = versions.get(shard.id) ?? 0;
      if (version !== shard.version) await refresh(shard, version);
    }
    await discoverBacklogs(open);
    let more = false;
    for (const [chainId, upTo] of positions) more = (await readOn(open, chainId, upTo)) || more;
    more = (await readBacklogs(open)) || more;
    if (performance.now() - retriesReadAt >= retryPeriodMs) await readRetries(open);
    return more;
  }

  /** Something that is held of the shard's webhooks may have changed: what is in use is read again, the rest forgotten. */
  async function refresh(shard: Shard, version: number): Promise<void> {
    for (const [webhookId, endpoint] of shard.endpoints) if (isIdle(endpoint)) shard.endpoints.delete(webhookId);
    const records = new Map(
      (await readEndpoints(pool, [...shard.endpoints.keys()])).map((record) => [record.webhookId, record]),
    );
    for (const [webhookId, endpoint] of shard.endpoints) {
      const record = records.get(webhookId);
      if (record) {
        refreshEndpoint(endpoint, record);
        recorder.touch(shard, endpoint);
      } else {
        drop(shard, endpoint);
      }
    }
    shard.version = version;
    shard.undiscovered = true;
  }

  /** The webhook is deleted: what waited for it is gone. */
  function drop(shard: Shard, endpoint: Endpoint): void {
    endpoint.active = false;
    park(endpoint);
    for (const place of endpoint.parkedPlaces.splice(0)) place.done = true;
    shard.endpoints.delete(endpoint.webhookId);
  }

  async function discoverBacklogs(open: readonly Shard[]): Promise<void> {
    const undiscovered = open.filter((shard) => shard.undiscovered);
    if (undiscovered.length === 0) return;
    const rows = await readBackloggedWebhooks(
      pool,
      undiscovered.map(({ id }) => id),
    );
    await openEndpoints(rows);
    for (const shard of undiscovered) shard.undiscovered = false;
  }

  /** @returns whether the stream may hold more */
  async function readOn(open: readonly Shard[], chainId: string, upTo: number): Promise<boolean> {
    const behind = open
      .map((shard) => ({ shard, window: windowOf(shard, chainId) }))
      .filter(({ window }) => window.readPosition < upTo);
    if (behind.length === 0 || !hasRoom(open)) return false;
    const rows = await readStream(
      pool,
      chainId,
      behind.map(({ shard, window }) => ({ shard: shard.id, position: window.readPosition })),
      {
        upTo,
        since: behind.map(({ window }) => window.recordedOn).reduce((a, b) => (a < b ? a : b)),
        limit: rowsPerShard,
        recovering: behind.some(({ window }) => window.readPosition < window.recoverUpTo),
      },
    );
    await openEndpoints(rows);
    const bodies = await textsOf(rows.filter(({ attempted }) => !attempted));
    const counts = new Map<number, number>();
    const asked = new Map(behind.map(({ shard }) => [shard.id, shard]));
    for (const row of rows) {
      const shard = asked.get(row.shard);
      // Lost meanwhile, and perhaps taken again: then it is read anew.
      if (!shard || shards.get(shard.id) !== shard) continue;
      counts.set(row.shard, (counts.get(row.shard) ?? 0) + 1);
      const place = addPlace(windowOf(shard, chainId), row);
      const endpoint = shard.endpoints.get(row.webhookId);
      const text = bodies.get(row.eventId);
      if (row.attempted || !endpoint || text === undefined) place.done = true;
      else {
        offerFromStream(endpoint, { ...row, ...noAttempts, text, source: { from: "stream", place } });
        if (endpoint.parkedPlaces.length > 0) recorder.touch(shard, endpoint);
        sender.pump(shard, endpoint);
      }
    }
    for (const { shard, window } of behind) if ((counts.get(shard.id) ?? 0) < rowsPerShard) window.readPosition = upTo;
    return [...counts.values()].some((count) => count >= rowsPerShard);
  }

  function hasRoom(open: readonly Shard[]): boolean {
    const queued = () =>
      open.reduce(
        (sum, { endpoints }) => [...endpoints.values()].reduce((part, { queue }) => part + queue.length, sum),
        0,
      );
    if (queued() < queuedLimit) return true;
    for (const shard of open) {
      for (const endpoint of shard.endpoints.values()) {
        if (endpoint.failures === 0 || endpoint.queue.length === 0) continue;
        park(endpoint);
        recorder.touch(shard, endpoint);
      }
    }
    return queued() < queuedLimit;
  }

  /** @returns whether a backlog holds more that could be sent */
  async function readBacklogs(open: readonly Shard[]): Promise<boolean> {
    const wanting = open.flatMap((shard) =>
      [...shard.endpoints.values()].filter(wantsBacklog).map((endpoint) => ({ shard, endpoint })),
    );
    await Promise.all(wanting.slice(0, 32).map(({ shard, endpoint }) => readBacklogOf(shard, endpoint)));
    return wanting.some(({ endpoint }) => wantsBacklog(endpoint)) || wanting.length > 32;
  }

  async function readBacklogOf(shard: Shard, endpoint: Endpoint): Promise<void> {
    const { generation, next } = endpoint;
    endpoint.reading = true;
    try {
      const { rows, lastSequence } = await readBacklog(pool, endpoint.webhookId, next, backlogPage);
      const bodies = await textsOf(rows);
      if (generation !== endpoint.generation || shard.endpoints.get(endpoint.webhookId) !== endpoint) return;
      const tasks = rows.flatMap((row): Task[] => {
        const text = bodies.get(row.eventId);
        return text === undefined ? [] : [{ ...row, ...noAttempts, text, source: { from: "backlog" } }];
      });
      offerFromBacklog(endpoint, tasks, next + backlogPage, lastSequence);
      recorder.touch(shard, endpoint);
      sender.pump(shard, endpoint);
    } finally {
      endpoint.reading = false;
    }
  }

  async function readRetries(open: readonly Shard[]): Promise<void> {
    retriesReadAt = performance.now();
    for (const { endpoint, sequence } of settledRetries.splice(0)) endpoint.retrying.delete(sequence);
    const rows = await readDueRetries(
      pool,
      open.map(({ id }) => id),
      retriesPerWebhook,
    );
    await openEndpoints(rows);
    const bodies = await textsOf(rows);
    for (const row of rows) {
      const shard = shards.get(row.shard);
      const endpoint = shard?.endpoints.get(row.webhookId);
      const text = bodies.get(row.eventId);
      if (!shard || !endpoint || text === undefined || endpoint.retrying.has(row.sequence) || !endpoint.active)
        continue;
      endpoint.retrying.add(row.sequence);
      endpoint.queue.push({ ...row, text, source: { from: "retries" } });
      sender.pump(shard, endpoint);
    }
  }

  async function openEndpoints(rows: readonly { shard: number; webhookId: string }[]): Promise<void> {
    const missing = new Map<string, Shard>();
    for (const { shard: id, webhookId } of rows) {
      const shard = shards.get(id);
      if (shard && !shard.endpoints.has(webhookId)) missing.set(webhookId, shard);
    }
    if (missing.size === 0) return;
    for (const record of await readEndpoints(pool, [...missing.keys()]))
      missing.get(record.webhookId)?.endpoints.set(record.webhookId, openEndpoint(record));
  }

  /** The texts of the rows' events. One event is often shared by many webhooks, so the newest are kept. */
  async function textsOf(rows: readonly FeedRow[]): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    const missing = new Map<number, FeedRow>();
    for (const row of rows) {
      const text = texts.get(row.eventId);
      if (text === undefined) missing.set(row.eventId, row);
      else found.set(row.eventId, text);
    }
    if (missing.size > 0) {
      for (const [id, text] of await readEventTexts(pool, [...missing.values()])) {
        found.set(id, text);
        texts.set(id, text);
        missing.delete(id);
      }
      for (const { webhookId, sequence, eventId } of missing.values())
        log.error({ webhookId, sequence, eventId }, "a notification's event is missing");
      for (const id of texts.keys()) {
        if (texts.size <= cachedTexts) break;
        texts.delete(id);
      }
    }
    return found;
  }

  return {
    round,
    noteRecorded(endpoint, { source, sequence }) {
      if (source.from === "retries") settledRetries.push({ endpoint, sequence });
    },
  };
}
