/** What is written beside the attempts: endpoints' states, streams' cursors, and webhooks that become inactive. */
import type { Logger } from "pino";
import type { Fence } from "../store/delivery/fence.ts";
import { deactivate, writeEndpointStates, writeStreamCursors } from "../store/delivery/state.ts";
import type { Pool } from "../store/pool.ts";
import type { Attempt } from "./attempt.ts";
import { beginRecording, stateToRecord } from "./backlog.ts";
import type { Endpoint, EndpointState } from "./endpoint.ts";
import { failingLimitMs } from "./schedule.ts";
import type { Shard } from "./shard.ts";
import { settleWindow } from "./window.ts";

/** The leases of the shards, under which something is written for them. */
export function fenceOf(shards: Iterable<Shard>): Fence {
  const distinct = [...new Set(shards)];
  const leases = distinct.map(({ lease: { key, epoch } }) => ({ key, epoch }));
  return { owner: distinct[0]?.lease.owner ?? "", leases };
}

// A lost shard may be ours again, as another object: the two must not come under one fence.
const isLost = ({ lease }: Shard) => lease.lost.aborted;

/** Notes endpoints' states. @param exactly also where it only saves work */
export async function writeStates(
  pool: Pool,
  endpoints: ReadonlyMap<Endpoint, Shard>,
  exactly: boolean,
): Promise<void> {
  const changes: { endpoint: Endpoint; shard: Shard; state: EndpointState }[] = [];
  for (const [endpoint, shard] of endpoints) {
    const state = isLost(shard) ? undefined : stateToRecord(endpoint, exactly);
    if (state) changes.push({ endpoint, shard, state });
  }
  if (changes.length === 0) return;
  const recorded = changes.map(({ endpoint, state }) => beginRecording(endpoint, state));
  await writeEndpointStates(
    pool,
    fenceOf(changes.map(({ shard }) => shard)),
    changes.map(({ endpoint: { webhookId, shard }, state }) => ({ webhookId, shard, ...state })),
  );
  for (const noteRecorded of recorded) noteRecorded();
}

/** Moves the cursors of the shards' streams to where everything is done. */
export async function writeCursors(pool: Pool, shards: readonly Shard[]): Promise<void> {
  const held = shards.filter((shard) => !isLost(shard));
  const ahead = held.flatMap((shard) =>
    [...shard.windows.values()].filter(settleWindow).map((window) => ({ shard, window, ...window })),
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

/** Makes webhooks inactive whose endpoint is gone or has failed for too long. */
export async function deactivateEndpoints(pool: Pool, attempts: readonly Attempt[], log: Logger): Promise<void> {
  const gone = attempts.filter(({ goneUrl }) => goneUrl !== undefined);
  const failing = attempts.filter(({ endpoint, result }) => result.errorClass && endpoint.recorded?.failing !== false);
  if (gone.length + failing.length === 0) return;
  const deactivated = await deactivate(pool, fenceOf([...gone, ...failing].map(({ shard }) => shard)), {
    gone: gone.map(({ endpoint: { webhookId }, goneUrl = "" }) => ({ webhookId, url: goneUrl })),
    failing: [...new Set(failing.map(({ endpoint: { webhookId } }) => webhookId))],
    failingLimitMs,
  });
  for (const webhookId of deactivated)
    log.warn({ webhookId }, "the webhook was made inactive, because of its endpoint");
}
