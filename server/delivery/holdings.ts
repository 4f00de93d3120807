/** Which endpoints a process holds for its shards: opened when something comes for them, refreshed, and forgotten. */
import { readBackloggedWebhooks } from "../store/delivery-feed.ts";
import { readEndpoints } from "../store/endpoint-states.ts";
import type { Pool } from "../store/pool.ts";
import { type Endpoint, isIdle, openEndpoint, park, refreshEndpoint } from "./endpoint.ts";
import type { Recorder } from "./recorder.ts";
import { dropEndpoint, holdEndpoint, type Shard } from "./shard.ts";

/** So many idle endpoints of a shard are kept at hand. */
const keptEndpoints = 2_000;

export type Holdings = {
  /** Opens the endpoints of webhooks that are not held yet; those of deleted webhooks stay unknown. */
  open(rows: readonly { shard: number; webhookId: string }[]): Promise<void>;
  /** Something that is held of the shard's webhooks may have changed: what is in use is read again, the rest forgotten. */
  refresh(shard: Shard, version: number): Promise<void>;
  /** Looks up the backlogs of shards that were just taken over or refreshed. */
  discover(shards: readonly Shard[]): Promise<void>;
  /** Parks what waits for endpoints that have been failing. */
  parkFailing(shard: Shard): void;
  /** A backlog that begins must get on record, and be read when there is room. */
  noteParked(shard: Shard, endpoint: Endpoint): void;
  /** Forgets idle endpoints when there are many. */
  trim(shard: Shard): void;
};

export function createHoldings(context: {
  pool: Pool;
  shards: ReadonlyMap<number, Shard>;
  recorder: Recorder;
}): Holdings {
  const { pool, shards, recorder } = context;

  async function open(rows: readonly { shard: number; webhookId: string }[]): Promise<void> {
    const missing = new Map<string, Shard>();
    for (const { shard: id, webhookId } of rows) {
      const shard = shards.get(id);
      if (shard && !shard.endpoints.has(webhookId)) missing.set(webhookId, shard);
    }
    if (missing.size === 0) return;
    for (const record of await readEndpoints(pool, [...missing.keys()])) {
      const shard = missing.get(record.webhookId);
      if (shard) holdEndpoint(shard, openEndpoint(record));
    }
  }

  async function refresh(shard: Shard, version: number): Promise<void> {
    forgetIdle(shard);
    const records = new Map(
      (await readEndpoints(pool, [...shard.endpoints.keys()])).map((record) => [record.webhookId, record]),
    );
    for (const [webhookId, endpoint] of shard.endpoints) {
      const record = records.get(webhookId);
      if (record) {
        refreshEndpoint(endpoint, record);
        noteParked(shard, endpoint);
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
    dropEndpoint(shard, endpoint);
  }

  function forgetIdle(shard: Shard): void {
    for (const endpoint of shard.endpoints.values()) if (isIdle(endpoint)) dropEndpoint(shard, endpoint);
  }

  function noteParked(shard: Shard, endpoint: Endpoint): void {
    if (endpoint.parked) shard.backlogged.add(endpoint);
    if (endpoint.parked || endpoint.parkedPlaces.length > 0) recorder.touch(shard, endpoint);
  }

  return {
    open,
    refresh,
    noteParked,
    async discover(all) {
      const undiscovered = all.filter((shard) => shard.undiscovered);
      if (undiscovered.length === 0) return;
      const ids = undiscovered.map(({ id }) => id);
      await open(await readBackloggedWebhooks(pool, ids));
      for (const shard of undiscovered) shard.undiscovered = false;
    },
    parkFailing(shard) {
      for (const endpoint of shard.endpoints.values()) {
        if (endpoint.failures === 0 || endpoint.queue.length === 0) continue;
        park(endpoint);
        noteParked(shard, endpoint);
      }
    },
    trim(shard) {
      if (shard.endpoints.size > keptEndpoints) forgetIdle(shard);
    },
  };
}
