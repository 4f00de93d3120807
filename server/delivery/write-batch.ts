/** Writes one batch of the recorder: attempts, webhooks that become inactive, endpoints' states and streams' cursors. */
import type { Logger } from "../base/log.ts";
import { isBadInput, type NewAttempt, writeAttempts } from "../store/delivery/results.ts";
import type { Fence } from "../store/delivery/shards.ts";
import { deactivate, writeEndpointStates, writeStreamCursors } from "../store/delivery/state.ts";
import type { Pool } from "../store/pool.ts";
import type { FinishedAttempts } from "./attempt.ts";
import type { Endpoint } from "./endpoint.ts";
import { isLost, type Shard } from "./shard.ts";
import { advanceWindow } from "./stream-window.ts";

type WriteContext = {
  pool: Pool;
  log: Logger;
  /** How long every attempt must have failed before a webhook becomes inactive, in ms. */
  failingLimitMs: number;
  /** Called when a lease turns out to belong to another process. */
  onFenced: () => void;
};

/** Records attempts, and settles them with their endpoints. Attempts of a shard whose lease another process has stay unsettled. */
export async function recordAttempts(context: WriteContext, posts: readonly FinishedAttempts[]): Promise<void> {
  const { pool, onFenced } = context;
  const fence = fenceOf(posts.map(({ endpoint }) => endpoint.shard));
  const all: NewAttempt[] = [];
  for (const { rows } of posts) for (const row of rows) all.push(row);
  let held: Set<number>;
  try {
    held = await writeAttempts(pool, fence, all);
  } catch (error) {
    if (!isBadInput(error)) throw error;
    return recordInHalves(context, posts, error);
  }
  await deactivateWebhooks(context, posts);
  for (const post of posts) {
    post.isRecorded = true;
    if (held.has(post.endpoint.shard.id)) settle(post);
  }
  if (held.size < fence.leases.length) onFenced();
}

function settle({ endpoint, notifications, rows }: FinishedAttempts): void {
  let index = 0;
  for (const notification of notifications) {
    endpoint.settle(notification, rows[index]);
    index += 1;
  }
}

/** One attempt that cannot be recorded must not hold up the others. Its day may just have been dropped, for example. */
async function recordInHalves(
  context: WriteContext,
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
  { pool, log, failingLimitMs }: WriteContext,
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
export async function recordStates(pool: Pool, endpoints: Iterable<Endpoint>, exactly: boolean): Promise<void> {
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

/** Moves the cursors of the shards' streams over everything that is done. */
export async function recordCursors(pool: Pool, shards: readonly Shard[]): Promise<void> {
  const ahead = shards
    .filter((shard) => !isLost(shard))
    .flatMap((shard) =>
      [...shard.windows.values()].filter(advanceWindow).map((window) => ({ shard, window, ...window })),
    );
  if (ahead.length === 0) return;
  const cursors = ahead.map(({ shard: { id }, chainId, position, recordedOn }) => ({
    shard: id,
    chainId,
    position,
    recordedOn,
  }));
  await writeStreamCursors(pool, fenceOf(ahead.map(({ shard }) => shard)), cursors);
  for (const { window, position } of ahead) window.written = position;
}

/** The leases under which something is written. Exclude lost shards: one may be ours again, as another object. */
function fenceOf(shards: Iterable<Shard>): Fence {
  const distinct = [...new Set(shards)];
  const leases = distinct.map(({ lease: { key, epoch } }) => ({ key, epoch }));
  return { owner: distinct[0]?.lease.owner ?? "", leases };
}
