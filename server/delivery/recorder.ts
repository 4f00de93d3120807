/**
 * Records outcomes in batches: while one is written, the next gathers. A batch has attempts, webhooks that become inactive, endpoints' states and
 * the outboxes' cursors.
 */
import type { Logger } from "../base/log.ts";
import { createPause } from "../base/pause.ts";
import { isBadInput, type NewAttempt, writeAttempts } from "../store/delivery/results.ts";
import type { Fence } from "../store/delivery/shards.ts";
import { deactivate, writeEndpointStates, writeShardCursors } from "../store/delivery/state.ts";

import type { Pool } from "../store/pool.ts";
import type { Endpoint } from "./endpoint/endpoint.ts";
import type { FinishedAttempts } from "./send/attempt.ts";
import { isLost, type Shard } from "./shard.ts";

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

type RecorderContext = {
  pool: Pool;
  log: Logger;
  /** How long every attempt must have failed before a webhook becomes inactive, in ms. */
  failingLimitMs: number;
  /** Called after each batch. */
  onBatch: () => void;
  /** Called when a lease turns out to belong to another process. */
  onFenced: () => void;
};

/** The last writes of a shard that is released. */
type Flush = { endpoints: ReadonlyMap<string, Endpoint>; done: () => void };

/** What one batch writes. */
type RecordedBatch = { attempts: readonly FinishedAttempts[]; endpoints: Set<Endpoint> };

export class Recorder {
  readonly #context: RecorderContext;
  #waiting: FinishedAttempts[] = [];
  /** How many attempts these are. */
  #waitingAttempts = 0;
  /** Endpoints whose states may have changed. */
  #changed = new Set<Endpoint>();
  /** Shards whose cursors may have moved. */
  readonly #progressed = new Set<Shard>();
  readonly #flushing = new Map<Shard, Flush>();
  #isRunning = false;
  #batchBegunAt = Number.NEGATIVE_INFINITY;
  #cursorsWrittenAt = 0;
  readonly #gathering = createPause();

  constructor(context: RecorderContext) {
    this.#context = context;
  }

  add(attempts: FinishedAttempts): void {
    this.#waiting.push(attempts);
    this.#countWaiting(attempts, 1);
    this.#start();
  }

  /** The endpoint's state may have to be written with the next batch. */
  noteChange(endpoint: Endpoint): void {
    this.#changed.add(endpoint);
    this.#start();
  }

  /** The cursors of the shard's outboxes may have to be written. */
  noteProgress(shard: Shard): void {
    this.#progressed.add(shard);
  }

  /** Writes cursors if it is time. Call it often, since there may be nothing else to write. */
  writeDueCursors(): void {
    if (this.#areCursorsDue) this.#start();
  }

  /** Resolves when everything of the shard is on record, or its lease is lost. It must have no exchange in flight. */
  async flush(shard: Shard, endpoints: ReadonlyMap<string, Endpoint>): Promise<void> {
    await new Promise<void>((resolve) => {
      if (isLost(shard)) return resolve();
      shard.lease.lost.addEventListener("abort", () => resolve(), { once: true });
      this.#flushing.set(shard, { endpoints, done: resolve });
      this.#start();
    });
    this.#flushing.delete(shard);
  }

  get #isUrgent(): boolean {
    return this.#flushing.size > 0 || this.#waitingAttempts >= largeBatch;
  }

  get #areCursorsDue(): boolean {
    return this.#progressed.size > 0 && performance.now() - this.#cursorsWrittenAt >= cursorPeriodMs;
  }

  #start(): void {
    if (this.#isUrgent) this.#gathering.wake();
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    // Everything added in this pass of the event loop goes into one batch.
    await new Promise(setImmediate);
    let pauseMs = shortestPauseMs;
    while (this.#waiting.length > 0 || this.#changed.size > 0 || this.#flushing.size > 0 || this.#areCursorsDue) {
      const restMs = this.#batchBegunAt + batchPeriodMs - performance.now();
      if (restMs > 0 && !this.#isUrgent) await this.#gathering.wait(restMs);
      this.#batchBegunAt = performance.now();
      const batch = this.#takeBatch();
      try {
        await this.#writeBatch(batch);
        pauseMs = shortestPauseMs;
      } catch (error) {
        this.#putBack(batch, error);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
      }
      this.#context.onBatch();
    }
    this.#isRunning = false;
  }

  /** What failed in one POST is recorded by one statement, so that it is due at the same moment. */
  #takeBatch(): RecordedBatch {
    let count = 0;
    let total = 0;
    for (; count < this.#waiting.length && total < batchLimit; count += 1)
      total += this.#waiting[count]?.rows.length ?? 0;
    const taken = this.#waiting.splice(0, count);
    for (const attempts of taken) this.#countWaiting(attempts, -1);
    const endpoints = this.#changed;
    this.#changed = new Set();
    return { attempts: taken.filter(({ endpoint }) => !isLost(endpoint.shard)), endpoints };
  }

  /** What a batch could not record waits for the next one. */
  #putBack({ attempts, endpoints }: RecordedBatch, error: unknown): void {
    const unrecorded = attempts.filter(({ isRecorded }) => !isRecorded);
    const count = unrecorded.reduce((sum, { rows }) => sum + rows.length, 0);
    this.#context.log.warn({ err: error, attempts: count }, "results could not be recorded; it will be retried");
    this.#waiting = [...unrecorded, ...this.#waiting];
    for (const each of unrecorded) this.#countWaiting(each, 1);
    for (const endpoint of endpoints) if (!isLost(endpoint.shard)) this.#changed.add(endpoint);
  }

  #countWaiting({ endpoint, rows }: FinishedAttempts, sign: 1 | -1): void {
    this.#waitingAttempts += sign * rows.length;
    endpoint.account.unrecorded.add(sign * rows.length);
  }

  /** Also writes the states of the endpoints that were attempted. */
  async #writeBatch({ attempts, endpoints }: RecordedBatch): Promise<void> {
    // This batch is a shard's last when nothing else of it waits.
    const last = [...this.#flushing].filter(
      ([shard]) => !this.#waiting.some(({ endpoint }) => endpoint.shard === shard),
    );
    for (const { endpoint } of attempts) endpoints.add(endpoint);
    if (attempts.length > 0) await recordAttempts(this.#context, attempts);
    for (const [shard, flush] of last) {
      this.#progressed.add(shard);
      for (const endpoint of flush.endpoints.values()) endpoints.add(endpoint);
    }
    for (const { shard } of endpoints) this.#progressed.add(shard);
    const areDue = this.#areCursorsDue || last.length > 0;
    await recordStates(this.#context.pool, endpoints, areDue);
    if (areDue) await this.#moveCursors();
    for (const [shard, flush] of last) {
      flush.done();
      this.#flushing.delete(shard);
    }
  }

  async #moveCursors(): Promise<void> {
    this.#cursorsWrittenAt = performance.now();
    const shards = [...this.#progressed];
    this.#progressed.clear();
    await recordCursors(this.#context.pool, shards).catch((error: unknown) => {
      for (const shard of shards) this.#progressed.add(shard);
      throw error;
    });
  }
}

/** Records attempts, and settles them with their endpoints. Attempts of a shard whose lease another process has stay unsettled. */
async function recordAttempts(context: RecorderContext, posts: readonly FinishedAttempts[]): Promise<void> {
  const { pool, onFenced } = context;
  const fence = fenceOf(posts.map(({ endpoint }) => endpoint.shard));
  const all: NewAttempt[] = [];
  for (const { rows } of posts) for (const row of rows) all.push(row);
  let owned: Set<number>;
  try {
    owned = await writeAttempts(pool, fence, all);
  } catch (error) {
    if (!isBadInput(error)) throw error;
    return recordInHalves(context, posts, error);
  }
  await deactivateWebhooks(context, posts);
  for (const post of posts) {
    post.isRecorded = true;
    if (owned.has(post.endpoint.shard.id)) settle(post);
  }
  if (owned.size < fence.leases.length) onFenced();
}

function settle({ endpoint, notifications, rows }: FinishedAttempts): void {
  let index = 0;
  for (const notification of notifications) {
    endpoint.settle(notification, rows[index]);
    index += 1;
  }
}

/** One attempt that cannot be recorded must not delay the others. Its day may just have been dropped, for example. */
async function recordInHalves(
  context: RecorderContext,
  posts: readonly FinishedAttempts[],
  error: unknown,
): Promise<void> {
  const [first] = posts;
  if (posts.length > 1) {
    const half = posts.length >> 1;
    await recordAttempts(context, posts.slice(0, half));
    await recordAttempts(context, posts.slice(half));
  } else if (first && first.rows.length > 1) {
    const half = first.rows.length >> 1;
    for (const [from, to] of [
      [0, half],
      [half, first.rows.length],
    ])
      await recordAttempts(context, [
        { ...first, notifications: first.notifications.slice(from, to), rows: first.rows.slice(from, to) },
      ]);
    first.isRecorded = true;
  } else if (first) {
    context.log.error({ err: error, attempt: first.rows[0] }, "an attempt cannot be recorded");
    first.isRecorded = true;
    for (const notification of first.notifications) first.endpoint.settle(notification, undefined);
  }
}

/** Makes webhooks inactive whose endpoint is gone, or has failed for too long. */
async function deactivateWebhooks(
  { pool, log, failingLimitMs }: RecorderContext,
  posts: readonly FinishedAttempts[],
): Promise<void> {
  const gone = posts.filter(({ goneUrl }) => goneUrl !== undefined);
  const failing = posts.filter(
    // While it is unknown which state is on record, it may be a failure.
    ({ endpoint, rows }) => rows[0]?.errorClass && endpoint.backlog.recorded?.failing !== false,
  );
  if (gone.length + failing.length === 0) return;
  const fence = fenceOf([...gone, ...failing].map(({ endpoint }) => endpoint.shard));
  const deactivated = await deactivate(pool, fence, {
    gone: gone.map(({ endpoint: { webhookId }, goneUrl = "" }) => ({ webhookId, url: goneUrl })),
    failing: [...new Set(failing.map(({ endpoint: { webhookId } }) => webhookId))],
    failingLimitMs,
  });
  for (const webhookId of deactivated)
    log.warn({ webhookId }, "the webhook was made inactive, because of its endpoint");
}

/** Records endpoints' states. @param exactly includes states that would only save work after a crash */
async function recordStates(pool: Pool, endpoints: Iterable<Endpoint>, exactly: boolean): Promise<void> {
  const shards: Shard[] = [];
  const changes: Parameters<typeof writeEndpointStates>[2][number][] = [];
  const confirms: (() => void)[] = [];
  for (const endpoint of endpoints) {
    const { shard, webhookId } = endpoint;
    const save = isLost(shard) ? undefined : endpoint.beginSave(exactly);
    if (!save) continue;
    shards.push(shard);
    changes.push({ shard: shard.id, webhookId, ...save.state });
    confirms.push(save.confirm);
  }
  if (changes.length === 0) return;
  await writeEndpointStates(pool, fenceOf(shards), changes);
  for (const confirm of confirms) confirm();
}

/** Moves the cursors of the shards' outboxes over everything that is done. */
async function recordCursors(pool: Pool, shards: readonly Shard[]): Promise<void> {
  const ahead = shards
    .filter((shard) => !isLost(shard))
    .flatMap((shard) => [...shard.cursors.values()].map((cursor) => ({ shard, cursor })))
    .filter(({ cursor }) => cursor.advance())
    // A cursor may move on while this is written.
    .map(({ shard, cursor }) => ({ shard, cursor, position: cursor.position, recordedOn: cursor.recordedOn }));
  if (ahead.length === 0) return;
  const rows = ahead.map(({ shard: { id }, cursor: { chainId }, position, recordedOn }) => ({
    shard: id,
    chainId,
    position,
    recordedOn,
  }));
  await writeShardCursors(pool, fenceOf(ahead.map(({ shard }) => shard)), rows);
  for (const { cursor, position } of ahead) cursor.noteRecorded(position);
}

/** The leases under which something is written. Exclude lost shards: one may be ours again, as another object. */
function fenceOf(shards: Iterable<Shard>): Fence {
  const distinct = [...new Set(shards)];
  const leases = distinct.map(({ lease: { key, epoch } }) => ({ key, epoch }));
  return { owner: distinct[0]?.lease.owner ?? "", leases };
}
