/** Records outcomes in batches: while one is written, the next gathers. */
import type { Logger } from "../base/log.ts";
import { createPause } from "../base/pause.ts";
import type { Pool } from "../store/pool.ts";
import type { FinishedAttempts } from "./attempt.ts";
import type { Endpoint } from "./endpoint.ts";
import { isLost, type Shard } from "./shard.ts";
import { recordAttempts, recordCursors, recordStates } from "./write-batch.ts";

export type Recorder = {
  add(attempts: FinishedAttempts): void;
  /** The endpoint's state may have to be written with the next batch. */
  noteChange(endpoint: Endpoint): void;
  /** The cursors of the shard's streams may have to be written. */
  noteProgress(shard: Shard): void;
  /** Writes cursors if it is time. Call it often, since there may be nothing else to write. */
  writeDueCursors(): void;
  /** Resolves when everything of the shard is on record, or its lease is lost. It must have no exchange in flight. */
  flush(shard: Shard, endpoints: ReadonlyMap<string, Endpoint>): Promise<void>;
};

const batchLimit = 4_000;
/**
 * The shortest time from one batch to the next, except for a large one or when a shard is released. Larger batches are cheaper: in a batch of
 * 500 a result costs a third of what it costs in one of 30. But what is not on record when a process dies is sent again.
 */
const batchPeriodMs = 80;
const largeBatch = 2_000;
/** The shortest time between two writes of cursors and exact backlogs, which only save work after a crash. */
const cursorPeriodMs = 500;
/** The pause after a failure. It doubles with each further one. */
const shortestPauseMs = 250;
const longestPauseMs = 2_000;

/** @param context.onBatch called after each batch @param context.onFenced called when a lease turns out to be another's */
export function createRecorder(context: {
  pool: Pool;
  log: Logger;
  /** How long every attempt must have failed before a webhook becomes inactive, in ms. */
  failingLimitMs: number;
  onBatch: () => void;
  onFenced: () => void;
}): Recorder {
  const { pool, log, onBatch } = context;
  let waiting: FinishedAttempts[] = [];
  /** How many attempts these are. */
  let waitingAttempts = 0;
  let changed = new Set<Endpoint>();
  const progressed = new Set<Shard>();
  /** Shards whose last writes are due, with their endpoints. */
  const flushing = new Map<Shard, { endpoints: ReadonlyMap<string, Endpoint>; done: () => void }>();
  let running = false;
  let begunAt = Number.NEGATIVE_INFINITY;
  let cursorsWrittenAt = 0;
  const gathering = createPause();

  const isUrgent = () => flushing.size > 0 || waitingAttempts >= largeBatch;
  const areCursorsDue = () => progressed.size > 0 && performance.now() - cursorsWrittenAt >= cursorPeriodMs;

  function start(): void {
    if (isUrgent()) gathering.wake();
    if (running) return;
    running = true;
    void run();
  }

  function countWaiting({ endpoint, rows }: FinishedAttempts, sign: 1 | -1): void {
    waitingAttempts += sign * rows.length;
    endpoint.account.unrecorded.add(sign * rows.length);
  }

  /** What failed in one POST is recorded by one statement, so that it is due at the same moment. */
  function takeWaiting(): FinishedAttempts[] {
    let count = 0;
    let attempts = 0;
    for (; count < waiting.length && attempts < batchLimit; count += 1) attempts += waiting[count]?.rows.length ?? 0;
    const batch = waiting.splice(0, count);
    for (const each of batch) countWaiting(each, -1);
    return batch;
  }

  async function run(): Promise<void> {
    // Everything added in this turn of the event loop goes into one batch.
    await new Promise(setImmediate);
    let pauseMs = shortestPauseMs;
    while (waiting.length > 0 || changed.size > 0 || flushing.size > 0 || areCursorsDue()) {
      const restMs = begunAt + batchPeriodMs - performance.now();
      if (restMs > 0 && !isUrgent()) await gathering.wait(restMs);
      begunAt = performance.now();
      const batch = takeWaiting();
      const attempts = batch.filter(({ endpoint }) => !isLost(endpoint.shard));
      const endpoints = changed;
      changed = new Set();
      try {
        await writeBatch(attempts, endpoints);
        pauseMs = shortestPauseMs;
      } catch (error) {
        const unrecorded = attempts.filter(({ isRecorded }) => !isRecorded);
        const count = unrecorded.reduce((sum, { rows }) => sum + rows.length, 0);
        log.warn({ err: error, attempts: count }, "results could not be recorded; it will be retried");
        waiting = [...unrecorded, ...waiting];
        for (const each of unrecorded) countWaiting(each, 1);
        for (const endpoint of endpoints) if (!isLost(endpoint.shard)) changed.add(endpoint);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
      }
      onBatch();
    }
    running = false;
  }

  /** @param endpoints whose states may have changed; the attempts' are added */
  async function writeBatch(attempts: readonly FinishedAttempts[], endpoints: Set<Endpoint>): Promise<void> {
    // This batch is a shard's last when nothing else of it waits.
    const last = [...flushing].filter(([shard]) => !waiting.some(({ endpoint }) => endpoint.shard === shard));
    for (const { endpoint } of attempts) endpoints.add(endpoint);
    if (attempts.length > 0) await recordAttempts(context, attempts);
    for (const [shard, flush] of last) {
      progressed.add(shard);
      for (const endpoint of flush.endpoints.values()) endpoints.add(endpoint);
    }
    for (const { shard } of endpoints) progressed.add(shard);
    const areDue = areCursorsDue() || last.length > 0;
    await recordStates(pool, endpoints, areDue);
    if (areDue) await moveCursors();
    for (const [shard, flush] of last) {
      flush.done();
      flushing.delete(shard);
    }
  }

  async function moveCursors(): Promise<void> {
    cursorsWrittenAt = performance.now();
    const shards = [...progressed];
    progressed.clear();
    await recordCursors(pool, shards).catch((error: unknown) => {
      for (const shard of shards) progressed.add(shard);
      throw error;
    });
  }

  return {
    add(attempts) {
      waiting.push(attempts);
      countWaiting(attempts, 1);
      start();
    },
    noteChange(endpoint) {
      changed.add(endpoint);
      start();
    },
    noteProgress: (shard) => void progressed.add(shard),
    writeDueCursors() {
      if (areCursorsDue()) start();
    },
    async flush(shard, endpoints) {
      await new Promise<void>((resolve) => {
        if (isLost(shard)) return resolve();
        shard.lease.lost.addEventListener("abort", () => resolve(), { once: true });
        flushing.set(shard, { endpoints, done: resolve });
        start();
      });
      flushing.delete(shard);
    },
  };
}
