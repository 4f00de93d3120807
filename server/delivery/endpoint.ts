/** What a delivery process holds of one webhook's endpoint: how to reach it, what to send next, and what is on its way. */

import type { AttemptsBefore } from "../store/delivery/due-retries.ts";
import type { EndpointRecord } from "../store/delivery/endpoint-states.ts";
import type { FeedRow } from "../store/delivery/feed.ts";
import { type Account, hasMemory } from "./account.ts";
import { openPace, type Pace, roomFor } from "./pace.ts";
import { type SigningKey, signingKey } from "./signature.ts";
import type { Place } from "./window.ts";

/** One notification to attempt now. */
export type Task = FeedRow &
  AttemptsBefore & {
    /** The event, as it is sent. */
    text: string;
    source: Source;
    /** Of a retry when it was due, in ms since the epoch by the database's clock. */
    dueAtMs?: number;
  };

/** Where a task comes from: first attempts from the stream or from the backlog, further ones from the retries. */
export type Source = { from: "stream"; place: Place } | { from: "backlog" } | { from: "retries" };

/** A notification that was never sent. */
export function firstAttempt(row: FeedRow, text: string, source: Source): Task {
  return { ...row, attempts: 0, step: 0, trigger: "schedule", text, source };
}

/** What the tables say about an endpoint. */
export type EndpointState = { backlogFrom: number | null; failing: boolean };

/** First attempts that wait in the tables; see backlog.ts. */
export type Backlog = {
  /** First attempts from `next` on are to be read from the tables. */
  parked: boolean;
  /** Where to read on, or, while not parked, where reading ended. */
  next: number;
  /** How many notifications that the stream has shown were left to it; 0 while not parked. */
  left: number;
  /** First attempts that are queued, under way or not yet on record, in the order of their sequence. */
  readonly unsettled: Set<number>;
  /** What the record surely covers, also if a write whose outcome is not known should take effect. */
  coveredFrom: number;
  /** Parked places in the stream that nothing on record covers yet. */
  readonly uncovered: Place[];
  /** When it was read last, by `performance.now()`. */
  readAt: number;
  /** Grows when what is being read is no longer wanted. */
  generation: number;
};

/** Which part of its account's room an endpoint has: all of it if it answered quickly the last time, else a part. */
export type Lane = "quick" | "new" | "slow";

export type Endpoint = {
  readonly webhookId: string;
  readonly shard: number;
  readonly chainId: string;
  url: string;
  /** The url's parts, since taking it apart costs more than sending. */
  target: { origin: string; path: string; hostname: string };
  active: boolean;
  keys: SigningKey[];
  pace: Pace;
  /** Whether the last attempt failed. */
  failing: boolean;
  readonly account: Account;
  readonly queue: Task[];
  inFlight: number;
  /** In which of its account's lines it stands; it waits for its turn in the one of its lane. */
  readonly inLine: Record<Lane, boolean>;
  readonly backlog: Backlog;
  /** Retries that are queued, under way, or recorded so lately that they could come up again. */
  readonly retrying: Set<number>;
  /** What is on record; undefined while that is not known. */
  recorded: EndpointState | undefined;
};

export function openEndpoint(record: EndpointRecord, account: Account): Endpoint {
  const { webhookId, shard, chainId, failing } = record;
  return {
    webhookId,
    shard,
    chainId,
    ...settingsOf(record),
    pace: openPace(failing),
    failing,
    account,
    queue: [],
    inFlight: 0,
    inLine: { quick: false, new: false, slow: false },
    backlog: openBacklog(record.backlogFrom),
    retrying: new Set(),
    recorded: { backlogFrom: record.backlogFrom, failing },
  };
}

function openBacklog(from: number | null): Backlog {
  return {
    parked: from !== null,
    next: from ?? 0,
    left: 0,
    unsettled: new Set(),
    coveredFrom: from ?? Number.POSITIVE_INFINITY,
    uncovered: [],
    readAt: 0,
    generation: 0,
  };
}

function settingsOf({ url, active, secrets }: EndpointRecord): Pick<Endpoint, "url" | "target" | "active" | "keys"> {
  const { origin, pathname, search, hostname } = new URL(url);
  const target = { origin, path: pathname + search, hostname: hostname.replace(/^\[|\]$/g, "") };
  return { url, target, active, keys: secrets.map(({ secret, expiresAt }) => signingKey(secret, expiresAt)) };
}

/** Takes over changed settings. */
export function refreshEndpoint(endpoint: Endpoint, record: EndpointRecord): void {
  if (record.url !== endpoint.url) endpoint.pace.proven = false;
  Object.assign(endpoint, settingsOf(record));
  // Somebody has set it active again, and with that wiped out what was on record.
  if (endpoint.recorded?.failing && !record.failing) {
    endpoint.failing = false;
    endpoint.recorded.failing = false;
    endpoint.pace = openPace(false);
  }
}

/** Puts a task behind the others. */
export function enqueue({ queue, account }: Endpoint, task: Task): void {
  queue.push(task);
  account.tasks.add(1);
  account.characters.add(task.text.length);
}

/** @returns the tasks that have not begun, which the endpoint has then no longer */
export function emptyQueue({ queue, account }: Endpoint): Task[] {
  for (const { text } of queue) account.characters.add(-text.length);
  account.tasks.add(-queue.length);
  return queue.splice(0);
}

/** @returns the next task that may be sent now, which then counts as on its way */
export function takeNext(endpoint: Endpoint): Task | undefined {
  if (!isFree(endpoint)) return undefined;
  const task = endpoint.queue.shift();
  if (!task) return undefined;
  endpoint.account.tasks.add(-1);
  endpoint.account.characters.add(-task.text.length);
  endpoint.inFlight += 1;
  return task;
}

/** Whether it may be sent something more, as far as it goes. */
export function isFree({ active, inFlight, pace }: Endpoint): boolean {
  return active && inFlight < pace.limit;
}

/** Whether it has room in memory for one more notification. */
export function hasRoom({ queue, pace, account }: Endpoint): boolean {
  return queue.length < roomFor(pace) && hasMemory(account);
}

export function laneOf({ pace }: Endpoint): Lane {
  return pace.slow ? "slow" : pace.proven ? "quick" : "new";
}
