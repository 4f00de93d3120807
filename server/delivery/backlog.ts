/**
 * An endpoint that cannot keep up, or is paused, has its first attempts parked: they wait in the tables, however many they are,
 * and only the sequence they begin at is kept and recorded. The rule that loses nothing: a place in the stream is done only when
 * its attempt is on record, or when a recorded beginning of the backlog lies at or before it; and such a beginning never lies
 * behind a first attempt that is not on record. The rule that repeats nothing: the backlog is read only up to where the stream
 * has been read, what the stream has while an endpoint is parked is left to the backlog, and that ends where the stream is. So
 * the stream may be read without a parked endpoint's notifications: the first place that was left to the backlog holds up the
 * cursor until the backlog is on record, which then covers all behind it.
 */
import {
  type Backlog,
  type Endpoint,
  type EndpointState,
  emptyQueue,
  enqueue,
  hasRoom,
  isFree,
  type Task,
} from "./endpoint.ts";
import { roomFor } from "./pace.ts";
import type { Place } from "./window.ts";

/** @returns where the backlog begins that must be on record; null where there is none */
export function backlogFrom({ backlog: { parked, next, unsettled } }: Endpoint): number | null {
  const [first] = unsettled;
  if (parked) return Math.min(next, first ?? next);
  // What was taken from the backlog stays a part of it until its attempt is on record.
  return first !== undefined && first < next ? first : null;
}

/** Whether it takes the stream's next notification into memory; else that is left to the backlog. */
export function takesFromStream(endpoint: Endpoint): boolean {
  return !endpoint.backlog.parked && endpoint.active && hasRoom(endpoint);
}

/** Queues the stream's next notification. */
export function takeFromStream(endpoint: Endpoint, task: Task): void {
  endpoint.backlog.unsettled.add(task.sequence);
  enqueue(endpoint, task);
}

/** Leaves the stream's next notification, and those behind it, to the backlog. */
export function parkFromStream({ backlog }: Endpoint, sequence: number, place: Place): void {
  if (!backlog.parked) backlog.next = sequence;
  backlog.parked = true;
  backlog.left += 1;
  leaveToBacklog(backlog, sequence, place);
}

function leaveToBacklog({ coveredFrom, uncovered }: Backlog, sequence: number, place: Place): void {
  if (coveredFrom <= sequence) place.done = true;
  else uncovered.push(place);
}

/** Leaves everything that has not begun to the backlog and the retries. */
export function park(endpoint: Endpoint): void {
  const { backlog, retrying } = endpoint;
  backlog.generation += 1;
  for (const { sequence, source } of emptyQueue(endpoint)) {
    if (source.from === "retries") {
      retrying.delete(sequence);
      continue;
    }
    backlog.next = backlog.parked ? Math.min(backlog.next, sequence) : sequence;
    backlog.parked = true;
    backlog.unsettled.delete(sequence);
    if (source.from === "stream") leaveToBacklog(backlog, sequence, source.place);
  }
}

/** How much of the backlog should be read now; 0 for nothing. */
export function backlogWanted(endpoint: Endpoint, nowMs: number): number {
  const { backlog, pace, queue } = endpoint;
  if (!backlog.parked || queue.length >= pace.limit) return 0;
  return isFree(endpoint) && pace.restUntil <= nowMs ? roomFor(pace) : 0;
}

/**
 * Takes a page of the backlog.
 *
 * @param tasks what is to be attempted of it
 * @param last the page's last sequence, undefined for an empty page
 * @param isEnd whether there is no more of it up to where the stream has been read
 */
export function offerFromBacklog(
  endpoint: Endpoint,
  tasks: readonly Task[],
  last: number | undefined,
  isEnd: boolean,
): void {
  const { backlog } = endpoint;
  for (const task of tasks) {
    backlog.unsettled.add(task.sequence);
    enqueue(endpoint, task);
  }
  if (last !== undefined) backlog.next = last + 1;
  if (!isEnd) return;
  backlog.parked = false;
  backlog.left = 0;
}

/** Takes note that a first attempt is on record. */
export function settle({ backlog }: Endpoint, sequence: number): void {
  backlog.unsettled.delete(sequence);
}

/**
 * What to record of the endpoint now.
 *
 * @param exactly also where it only saves work
 * @returns undefined when the record is good enough
 */
export function stateToRecord(endpoint: Endpoint, exactly: boolean): EndpointState | undefined {
  const { recorded, failing, backlog } = endpoint;
  const from = backlogFrom(endpoint);
  const state = { backlogFrom: from, failing };
  if (!recorded || recorded.failing !== failing || backlog.uncovered.length > 0) return state;
  if (recorded.backlogFrom === from) return undefined;
  const begunOrEnded = recorded.backlogFrom === null || from === null || from < recorded.backlogFrom;
  return begunOrEnded || exactly ? state : undefined;
}

/**
 * Takes note that a state is being written: until it is known to be on record, only what both it and the one before cover is
 * covered.
 *
 * @returns what to call when it is on record; nothing is to be called when that stays unknown
 */
export function beginRecording(endpoint: Endpoint, state: EndpointState): () => void {
  const { backlog } = endpoint;
  const coveredFrom = state.backlogFrom ?? Number.POSITIVE_INFINITY;
  backlog.coveredFrom = Math.max(backlog.coveredFrom, coveredFrom);
  endpoint.recorded = undefined;
  const places = backlog.uncovered.slice();
  return () => {
    backlog.coveredFrom = coveredFrom;
    endpoint.recorded = state;
    for (const place of places) place.done = true;
    backlog.uncovered.splice(0, places.length);
  };
}

/** Whether nothing would be lost, and nothing held up, by forgetting the endpoint. */
export function isIdle(endpoint: Endpoint): boolean {
  const { queue, inFlight, backlog, retrying, recorded, failing, active } = endpoint;
  const inHand = inFlight + queue.length + backlog.unsettled.size + backlog.uncovered.length + retrying.size;
  const hasBacklogToRead = active && backlog.parked;
  if (inHand > 0 || hasBacklogToRead) return false;
  return recorded?.backlogFrom === backlogFrom(endpoint) && recorded.failing === failing;
}
