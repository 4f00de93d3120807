/** Puts what happened on record, in batches: while one is being written, the next gathers. */
import type { Logger } from "pino";
import {
  type AttemptResult,
  deactivate,
  type Fence,
  type StateChange,
  writeResults,
  writeStates,
  writeStreamCursors,
} from "../store/delivery-results.ts";
import type { Pool } from "../store/pool.ts";
import { backlogFrom, type Endpoint, noteRecorded, noteStateRecorded, type Task } from "./endpoint.ts";
import { failingLimitMs } from "./schedule.ts";
import type { Shard } from "./shard.ts";
import { settleWindow } from "./window.ts";

/** An attempt to record. */
export type Attempt = {
  shard: Shard;
  endpoint: Endpoint;
  task: Task;
  /** When it was sent, by `performance.now()`. */
  sentAt: number;
  result: Omit<AttemptResult, "ageMs">;
  /** The endpoint answered 410. */
  gone: boolean;
};

export type Recorder = {
  add(attempt: Attempt): void;
  /** Has the endpoint's state looked at when the next batch is written. */
  touch(shard: Shard, endpoint: Endpoint): void;
  /** How many attempts wait to be written. */
  size(): number;
  /** Settles when everything of the shard is on record, or its lease is lost. */
  flush(shard: Shard): Promise<void>;
};

const batchLimit = 1_000;
/** How often at most a backlog's beginning and a stream's cursor are moved on record: they only save work after a crash. */
const cursorPeriodMs = 500;

/** @param context.onRecorded told of every attempt that is on record */
export function createRecorder(context: {
  pool: Pool;
  log: Logger;
  onRecorded: (endpoint: Endpoint, task: Task) => void;
}): Recorder {
  const { pool, log, onRecorded } = context;
  let waiting: Attempt[] = [];
  let touched = new Map<Endpoint, Shard>();
  let writing = false;
  let cursorsWrittenAt = 0;
  let batchSize = batchLimit;

  function start(): void {
    if (writing) return;
    writing = true;
    void run().finally(() => {
      writing = false;
      if (waiting.length > 0 || touched.size > 0) start();
    });
  }

  async function run(): Promise<void> {
    await new Promise(setImmediate);
    while (waiting.length > 0 || touched.size > 0) {
      const attempts = waiting.splice(0, batchSize);
      const endpoints = touched;
      touched = new Map();
      try {
        await writeAttempts(attempts.splice(0), endpoints);
        await writeRest(endpoints, performance.now() - cursorsWrittenAt > cursorPeriodMs);
        batchSize = batchLimit;
      } catch (error) {
        for (const [endpoint, shard] of endpoints) if (!shard.lease.lost.aborted) touched.set(endpoint, shard);
        log.warn({ err: error }, "results could not be recorded; it will be tried again");
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    }
  }

  async function writeAttempts(batch: readonly Attempt[], endpoints: Map<Endpoint, Shard>): Promise<void> {
    const attempts = batch.filter(({ shard }) => !shard.lease.lost.aborted);
    if (attempts.length > 0) {
      const now = performance.now();
      const results = attempts.map(({ result, sentAt }) => ({ ...result, ageMs: now - sentAt }));
      try {
        const held = await writeResults(pool, fenceOf(attempts.map(({ shard }) => shard)), results);
        await deactivateEndpoints(attempts);
        for (const { shard, endpoint, task } of attempts) {
          if (!held.has(shard.id)) continue;
          noteRecorded(endpoint, task);
          onRecorded(endpoint, task);
          endpoints.set(endpoint, shard);
        }
      } catch (error) {
        if (!isRefused(error) || attempts.length > 1) {
          // What the database refuses is found by writing one by one; the rest must not wait for it.
          if (isRefused(error)) batchSize = 1;
          waiting = [...attempts, ...waiting];
          throw error;
        }
        log.error(
          { err: error, result: attempts[0]?.result },
          "an attempt cannot be recorded; its notification will be sent again",
        );
      }
    }
    for (const { shard } of batch) shard.unrecorded -= 1;
  }

  async function writeRest(endpoints: Map<Endpoint, Shard>, cursorsDue: boolean): Promise<void> {
    await writeChangedStates(endpoints, cursorsDue);
    if (cursorsDue) await writeCursors(new Set(endpoints.values()));
  }

  async function writeChangedStates(endpoints: Map<Endpoint, Shard>, cursorsDue: boolean): Promise<void> {
    const changes: { endpoint: Endpoint; shard: Shard; change: StateChange }[] = [];
    for (const [endpoint, shard] of endpoints) {
      const { recorded, failing, webhookId } = endpoint;
      const from = backlogFrom(endpoint);
      const begunOrEnded =
        (from === null) !== (recorded.backlogFrom === null) || (from ?? 0) < (recorded.backlogFrom ?? 0);
      if (failing !== recorded.failing || begunOrEnded || (cursorsDue && from !== recorded.backlogFrom)) {
        changes.push({ endpoint, shard, change: { shard: shard.id, webhookId, backlogFrom: from, failing } });
      } else {
        noteStateRecorded(endpoint, recorded);
      }
    }
    if (changes.length === 0) return;
    await writeStates(
      pool,
      fenceOf(changes.map(({ shard }) => shard)),
      changes.map(({ change }) => change),
    );
    for (const { endpoint, change } of changes)
      noteStateRecorded(endpoint, { backlogFrom: change.backlogFrom, failing: change.failing });
  }

  async function deactivateEndpoints(attempts: readonly Attempt[]): Promise<void> {
    const gone = attempts.filter((attempt) => attempt.gone);
    const now = Date.now();
    // A guess that spares the question; the database's clock decides.
    const failing = attempts.filter(
      ({ endpoint: { failing, failingSince } }) =>
        failing && failingSince !== null && now - failingSince > failingLimitMs / 2,
    );
    if (gone.length + failing.length === 0) return;
    const ids = (list: readonly Attempt[]) => [...new Set(list.map(({ endpoint }) => endpoint.webhookId))];
    const webhooks = { gone: ids(gone), failing: ids(failing), failingLimitMs };
    const deactivated = await deactivate(pool, fenceOf([...gone, ...failing].map(({ shard }) => shard)), webhooks);
    for (const webhookId of deactivated)
      log.warn({ webhookId }, "the webhook was made inactive, because of its endpoint");
  }

  async function writeCursors(shards: Set<Shard>): Promise<void> {
    cursorsWrittenAt = performance.now();
    const ahead = [...shards].flatMap((shard) =>
      [...shard.windows.values()]
        .filter(settleWindow)
        .map((window) => ({ shard, window, position: window.position, recordedOn: window.recordedOn })),
    );
    if (ahead.length === 0) return;
    const cursors = ahead.map(({ shard, window, position, recordedOn }) => ({
      shard: shard.id,
      chainId: window.chainId,
      position,
      recordedOn,
    }));
    await writeStreamCursors(pool, fenceOf(ahead.map(({ shard }) => shard)), cursors);
    for (const { window, position } of ahead) window.written = position;
  }

  return {
    add(attempt) {
      attempt.shard.unrecorded += 1;
      waiting.push(attempt);
      start();
    },
    touch(shard, endpoint) {
      touched.set(endpoint, shard);
      start();
    },
    size: () => waiting.length,
    async flush(shard) {
      const { lost } = shard.lease;
      while (shard.unrecorded > 0 && !lost.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
      if (lost.aborted) return;
      await writeRest(new Map([...shard.endpoints.values()].map((endpoint) => [endpoint, shard])), true);
    },
  };
}

/** Whether the database understood and refused what was written (SQLSTATE classes 22 and 23), so that it always will. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^2[23]/.test(error.code);
}

function fenceOf(shards: readonly Shard[]): Fence {
  const leases = [...new Set(shards)].map(({ lease: { key, epoch } }) => ({ key, epoch }));
  return { owner: shards[0]?.lease.owner ?? "", leases };
}
