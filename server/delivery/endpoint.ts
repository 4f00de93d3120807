/**
 * What a delivery process holds of one webhook's endpoint: what to send next, what is on its way, and the backlog. An endpoint
 * that cannot keep up, or is paused, has its first attempts parked: they then wait in the tables, however many they are, and
 * only the sequence they begin at is kept.
 */
import type { AttemptsBefore, FeedRow } from "../store/delivery-feed.ts";
import type { EndpointRecord } from "../store/endpoint-states.ts";
import { type SigningKey, signingKey } from "./signature.ts";
import type { Place } from "./window.ts";

/** At most so many exchanges with one endpoint at once, and with one that has been failing. */
const inFlightLimit = 10;
const failingInFlightLimit = 1;
const failuresBeforeSlowing = 5;
/** At most so many notifications of one webhook in memory. */
const queueLimit = 100;

/** One notification to attempt now. */
export type Task = FeedRow &
  AttemptsBefore & {
    /** The event, as it is sent. */
    text: string;
    source: { from: "stream"; place: Place } | { from: "backlog" } | { from: "retries" };
  };

/** Of a notification that was never sent. */
export const noAttempts: AttemptsBefore = { attempts: 0, step: 0, trigger: "schedule" };

export type Endpoint = {
  readonly webhookId: string;
  readonly shard: number;
  url: URL;
  active: boolean;
  keys: SigningKey[];
  readonly queue: Task[];
  inFlight: number;
  /** Failures since the last success, and whether the record says that it fails. */
  failures: number;
  failing: boolean;
  failingSince: number | null;
  /** First attempts from `next` on are to be read from the tables while `parked`. */
  parked: boolean;
  next: number;
  /** The newest sequence that the stream has shown while parked. */
  seen: number;
  /** Read from the backlog and not yet on record. */
  readonly outstanding: Set<number>;
  /** Grows when what is being read from the backlog is no longer wanted. */
  generation: number;
  reading: boolean;
  /** The stream's notifications below this sequence were taken from the backlog. */
  skipBelow: number;
  readonly retrying: Set<number>;
  /** Places in the stream that are done as soon as the backlog is on record. */
  readonly parkedPlaces: Place[];
  recorded: { backlogFrom: number | null; failing: boolean };
};

export function openEndpoint(record: EndpointRecord): Endpoint {
  return {
    webhookId: record.webhookId,
    shard: record.shard,
    ...settingsOf(record),
    queue: [],
    inFlight: 0,
    failures: 0,
    failing: record.failingSince !== null,
    failingSince: record.failingSince,
    parked: record.backlogFrom !== null,
    next: record.backlogFrom ?? 0,
    seen: 0,
    outstanding: new Set(),
    generation: 0,
    reading: false,
    skipBelow: 0,
    retrying: new Set(),
    parkedPlaces: [],
    recorded: { backlogFrom: record.backlogFrom, failing: record.failingSince !== null },
  };
}

function settingsOf({ url, active, secrets }: EndpointRecord): Pick<Endpoint, "url" | "active" | "keys"> {
  return { url: new URL(url), active, keys: secrets.map(({ secret, expiresAt }) => signingKey(secret, expiresAt)) };
}

/** Takes over changed settings; what waits for an endpoint that is no longer active is parked. */
export function refreshEndpoint(endpoint: Endpoint, record: EndpointRecord): void {
  Object.assign(endpoint, settingsOf(record));
  endpoint.failing = record.failingSince !== null;
  endpoint.failingSince = record.failingSince;
  endpoint.recorded.failing = endpoint.failing;
  if (!endpoint.active) park(endpoint);
}

/** Whether nothing would be lost, and nothing held up, by forgetting it. */
export function isIdle(endpoint: Endpoint): boolean {
  const { queue, inFlight, outstanding, retrying, parkedPlaces, reading, recorded } = endpoint;
  const inUse = queue.length + inFlight + outstanding.size + retrying.size + parkedPlaces.length > 0 || reading;
  const hasBacklogToRead = endpoint.active && endpoint.parked;
  if (inUse || hasBacklogToRead) return false;
  return recorded.backlogFrom === backlogFrom(endpoint) && recorded.failing === endpoint.failing;
}

/** @returns where the backlog begins that must be on record; null where there is none */
export function backlogFrom({ parked, next, outstanding }: Endpoint): number | null {
  if (!parked && outstanding.size === 0) return null;
  let from = parked ? next : Number.POSITIVE_INFINITY;
  for (const sequence of outstanding) if (sequence < from) from = sequence;
  return from;
}

/** Takes the stream's next notification: queues it, or leaves it to the backlog. */
export function offerFromStream(endpoint: Endpoint, task: Task & { source: { from: "stream"; place: Place } }): void {
  const { sequence, source } = task;
  const known = !endpoint.parked && sequence < endpoint.skipBelow;
  if (!known && !endpoint.parked && endpoint.active && endpoint.queue.length < queueLimit) {
    endpoint.queue.push(task);
    return;
  }
  if (!known) {
    if (!endpoint.parked) endpoint.next = sequence;
    endpoint.parked = true;
    endpoint.seen = Math.max(endpoint.seen, sequence);
  }
  leaveToBacklog(endpoint, sequence, source.place);
}

function leaveToBacklog(endpoint: Endpoint, sequence: number, place: Place): void {
  const { recorded } = endpoint;
  if (recorded.backlogFrom !== null && recorded.backlogFrom <= sequence) place.done = true;
  else endpoint.parkedPlaces.push(place);
}

/** Leaves everything that has not begun to the backlog and the retries. */
export function park(endpoint: Endpoint): void {
  endpoint.generation += 1;
  for (const task of endpoint.queue.splice(0)) {
    if (task.source.from === "retries") {
      endpoint.retrying.delete(task.sequence);
      continue;
    }
    endpoint.next = endpoint.parked ? Math.min(endpoint.next, task.sequence) : task.sequence;
    endpoint.parked = true;
    endpoint.seen = Math.max(endpoint.seen, task.sequence);
    if (task.source.from === "backlog") endpoint.outstanding.delete(task.sequence);
    else leaveToBacklog(endpoint, task.sequence, task.source.place);
  }
}

/** Whether more of the backlog should be read. */
export function wantsBacklog({ active, parked, reading, queue }: Endpoint): boolean {
  return active && parked && !reading && queue.length < inFlightLimit;
}

/** Takes a page of the backlog. @param upTo the sequence behind the page @param last the webhook's newest sequence */
export function offerFromBacklog(endpoint: Endpoint, tasks: readonly Task[], upTo: number, last: number): void {
  for (const task of tasks) {
    endpoint.outstanding.add(task.sequence);
    endpoint.queue.push(task);
  }
  endpoint.next = Math.min(upTo, last + 1);
  if (endpoint.next > last && endpoint.next > endpoint.seen) {
    endpoint.parked = false;
    endpoint.skipBelow = endpoint.next;
  }
}

/** @returns the next notification that may be sent now, which then counts as on its way */
export function takeNext(endpoint: Endpoint): Task | undefined {
  const limit = endpoint.failures < failuresBeforeSlowing ? inFlightLimit : failingInFlightLimit;
  if (!endpoint.active || endpoint.inFlight >= limit) return undefined;
  const task = endpoint.queue.shift();
  if (task) endpoint.inFlight += 1;
  return task;
}

/** Takes note of how an exchange ended. */
export function noteOutcome(endpoint: Endpoint, succeeded: boolean, nowMs: number): void {
  endpoint.inFlight -= 1;
  endpoint.failures = succeeded ? 0 : endpoint.failures + 1;
  endpoint.failing = !succeeded;
  endpoint.failingSince = succeeded ? null : (endpoint.failingSince ?? nowMs);
}

/** Takes note that an attempt is on record. A retry stays in hand until the next look at the retries sees that too. */
export function noteRecorded(endpoint: Endpoint, task: Task): void {
  if (task.source.from === "stream") task.source.place.done = true;
  if (task.source.from === "backlog") endpoint.outstanding.delete(task.sequence);
}

/** Takes note of what is on record about the endpoint. */
export function noteStateRecorded(endpoint: Endpoint, state: { backlogFrom: number | null; failing: boolean }): void {
  endpoint.recorded = state;
  for (const place of endpoint.parkedPlaces.splice(0)) place.done = true;
}
