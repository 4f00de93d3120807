/** Puts what happened on record, in batches: while one is being written, the next gathers. */
import type { Logger } from "pino";
import { isBadInput, writeResults } from "../store/delivery/results.ts";
import { createPause } from "../store/pause.ts";
import type { Pool } from "../store/pool.ts";
import type { Attempt } from "./attempt.ts";
import { settle } from "./backlog.ts";
import { deactivateEndpoints, fenceOf, writeCursors, writeStates } from "./bookkeeping.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Shard } from "./shard.ts";

export type Recorder = {
  add(attempt: Attempt): void;
  /** Has the endpoint's state looked at when the next batch is written. */
  touch(shard: Shard, endpoint: Endpoint): void;
  /** Has the cursors of the shard's streams looked at, some time. */
  noteProgress(shard: Shard): void;
  /** To be called often: writes cursors when it is time, also if nothing else is to be written. */
  tick(): void;
  /** Settles when everything of the shard is on record, or its lease is lost. Nothing of it may be under way. */
  flush(shard: Shard): Promise<void>;
};

const batchLimit = 4_000;
/**
 * A batch begins no sooner after the one before, unless it would be a large one or a shard is given up. The longer, the fewer and
 * cheaper: a result costs in a batch of 500 a third of what it does in one of 30. But what is not yet on record when a process dies
 * is sent again.
 */
const batchPeriodMs = 80;
const largeBatch = 2_000;
/** How often at most a backlog's beginning and a stream's cursor are moved on record: they only save work after a crash. */
const cursorPeriodMs = 500;
/** After a failure a pause, which doubles with each further one. */
const shortestPauseMs = 250;
const longestPauseMs = 2_000;

/**
 * @param context.onRetryRecorded told of every retry whose outcome is on record
 * @param context.onBatch called after each batch
 * @param context.onFenced called when a lease turns out to be another's
 */
export function createRecorder(context: {
  pool: Pool;
  log: Logger;
  onRetryRecorded: (endpoint: Endpoint, sequence: number) => void;
  onBatch: () => void;
  onFenced: () => void;
}): Recorder {
  const { pool, log, onRetryRecorded, onBatch, onFenced } = context;
  let waiting: Attempt[] = [];
  let touched = new Map<Endpoint, Shard>();
  const progressed = new Set<Shard>();
  /** Shards to be written to the last, and whom to tell. */
  const flushing = new Map<Shard, () => void>();
  let running = false;
  let begunAt = Number.NEGATIVE_INFINITY;
  let cursorsWrittenAt = 0;
  const gathering = createPause();

  const isLost = (shard: Shard) => shard.lease.lost.aborted;
  const isUrgent = () => flushing.size > 0 || waiting.length >= largeBatch;
  const areCursorsDue = () => progressed.size > 0 && performance.now() - cursorsWrittenAt >= cursorPeriodMs;

  function start(): void {
    if (isUrgent()) gathering.wake();
    if (running) return;
    running = true;
    void run();
  }

  async function run(): Promise<void> {
    // What comes in the same turn of the event loop goes into one batch.
    await new Promise(setImmediate);
    let pauseMs = shortestPauseMs;
    while (waiting.length > 0 || touched.size > 0 || flushing.size > 0 || areCursorsDue()) {
      const restMs = begunAt + batchPeriodMs - performance.now();
      if (restMs > 0 && !isUrgent()) await gathering.wait(restMs);
      begunAt = performance.now();
      const batch = waiting.splice(0, batchLimit);
      for (const { endpoint } of batch) endpoint.account.unrecorded.add(-1);
      const attempts = batch.filter(({ shard }) => !isLost(shard));
      const states = touched;
      touched = new Map();
      try {
        await writeBatch(attempts, states);
        pauseMs = shortestPauseMs;
      } catch (error) {
        const unrecorded = attempts.filter(({ recorded }) => !recorded);
        log.warn({ err: error, attempts: unrecorded.length }, "results could not be recorded; it will be tried again");
        waiting = [...unrecorded, ...waiting];
        for (const { endpoint } of unrecorded) endpoint.account.unrecorded.add(1);
        for (const [endpoint, shard] of states) if (!isLost(shard)) touched.set(endpoint, shard);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
      }
      onBatch();
    }
    running = false;
  }

  /** @param states of endpoints to look at; the attempts' are added */
  async function writeBatch(attempts: readonly Attempt[], states: Map<Endpoint, Shard>): Promise<void> {
    // Of a shard to flush this batch is the last when nothing of it waits any more.
    const ending = new Set([...flushing.keys()].filter((shard) => !waiting.some((attempt) => attempt.shard === shard)));
    for (const { endpoint, shard } of attempts) states.set(endpoint, shard);
    if (attempts.length > 0) await writeAttempts(attempts);
    for (const shard of ending) {
      progressed.add(shard);
      for (const endpoint of shard.endpoints.values()) states.set(endpoint, shard);
    }
    for (const shard of states.values()) progressed.add(shard);
    const cursorsDue = areCursorsDue() || ending.size > 0;
    await writeStates(pool, states, cursorsDue);
    if (cursorsDue) await moveCursors();
    for (const shard of ending) {
      flushing.get(shard)?.();
      flushing.delete(shard);
    }
  }

  async function moveCursors(): Promise<void> {
    cursorsWrittenAt = performance.now();
    const shards = [...progressed];
    progressed.clear();
    await writeCursors(pool, shards).catch((error: unknown) => {
      for (const shard of shards) progressed.add(shard);
      throw error;
    });
  }

  async function writeAttempts(attempts: readonly Attempt[]): Promise<void> {
    const results = attempts.map(({ result }) => result);
    const fence = fenceOf(attempts.map(({ shard }) => shard));
    let held: Set<number>;
    try {
      held = await writeResults(pool, fence, results);
    } catch (error) {
      if (!isBadInput(error)) throw error;
      return writeApart(attempts, error);
    }
    await deactivateEndpoints(pool, attempts, log);
    for (const attempt of attempts) {
      attempt.recorded = true;
      if (held.has(attempt.shard.id)) noteRecorded(attempt);
    }
    if (held.size < fence.leases.length) onFenced();
  }

  /** One attempt that cannot be recorded, such as one whose day has just been dropped, must not hold up the others. */
  async function writeApart(attempts: readonly Attempt[], error: unknown): Promise<void> {
    const [first] = attempts;
    if (attempts.length > 1) {
      const half = attempts.length >> 1;
      await writeAttempts(attempts.slice(0, half));
      await writeAttempts(attempts.slice(half));
    } else if (first) {
      log.error({ err: error, attempt: first.result }, "an attempt cannot be recorded");
      first.recorded = true;
      noteRecorded(first);
    }
  }

  function noteRecorded({ endpoint, source, result: { sequence } }: Attempt): void {
    if (source.from === "stream") source.place.done = true;
    if (source.from === "retries") onRetryRecorded(endpoint, sequence);
    else settle(endpoint, sequence);
  }

  return {
    add(attempt) {
      waiting.push(attempt);
      attempt.endpoint.account.unrecorded.add(1);
      start();
    },
    touch(shard, endpoint) {
      touched.set(endpoint, shard);
      start();
    },
    noteProgress: (shard) => void progressed.add(shard),
    tick() {
      if (areCursorsDue()) start();
    },
    async flush(shard) {
      await new Promise<void>((resolve) => {
        if (isLost(shard)) return resolve();
        shard.lease.lost.addEventListener("abort", () => resolve(), { once: true });
        flushing.set(shard, resolve);
        start();
      });
      flushing.delete(shard);
    },
  };
}
