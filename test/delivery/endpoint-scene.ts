/** Endpoints without a database: a shard that this process holds, what the tables say of a webhook, and its notifications. */

import { createAccounts } from "../../server/delivery/accounts.ts";
import { Endpoint } from "../../server/delivery/endpoint/endpoint.ts";
import {
  firstAttempt,
  type NotificationSource,
  type QueuedNotification,
} from "../../server/delivery/queued-notification.ts";
import { InFlightSet, type Shard } from "../../server/delivery/shard.ts";
import type { EndpointRecord } from "../../server/store/delivery/endpoint-states.ts";

export const day = "2026-01-01";

export function ownedShard(): Shard {
  const [stopping, lost] = [new AbortController().signal, new AbortController().signal];
  return {
    id: 0,
    lease: { key: "0", owner: "", epoch: 1, stopping, lost, isOwned: () => true },
    version: 0,
    undiscovered: false,
    retryLooks: 0,
    cursors: new Map(),
    exchanges: new InFlightSet(),
    positionsAtStart: new Map(),
  };
}

export function recordOf(changes: Partial<EndpointRecord> = {}): EndpointRecord {
  return {
    ...{ webhookId: "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a", accountId: 1, shard: 0, chainId: "1" },
    ...{ url: "https://example.com/", active: true, secrets: [], headers: [], backlogFrom: null, failing: false },
    ...changes,
  };
}

export function openEndpoint(
  changes: Partial<EndpointRecord> = {},
  { shard = ownedShard(), accounts = createAccounts() } = {},
): Endpoint {
  const record = recordOf(changes);
  return new Endpoint(record, shard, accounts.of(record.accountId));
}

export function notificationOf(
  webhookId: string,
  sequence: number,
  source: NotificationSource = { from: "backlog" },
): QueuedNotification {
  const row = { webhookId, sequence, recordedOn: day, shard: 0, messageId: "", eventId: 1, recordedAtMs: 0 };
  return firstAttempt(row, "{}", source);
}

/** Sends the endpoint one notification, and ends that exchange. */
export function exchangeOne(endpoint: Endpoint, sequence: number, errorClass?: "bad_status"): void {
  endpoint.enqueue(notificationOf(endpoint.webhookId, sequence));
  const [notification] = endpoint.begin();
  endpoint.finish({ durationMs: 10, ...(errorClass && { errorClass }) }, endpoint.target.url, []);
  if (notification) endpoint.settle(notification, undefined);
}
