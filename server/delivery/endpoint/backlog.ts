/**
 * First attempts of one endpoint that wait in the tables. An endpoint that cannot keep up, or is paused, is parked: we keep and record only the
 * sequence at which its backlog begins, however long it is. Only endpoint.ts uses this.
 *
 * Nothing is lost: an entry of the outbox is done only when its attempt is on record, or when a recorded backlog begins at or before it. A recorded
 * backlog never begins after a first attempt that is not on record.
 *
 * Nothing is repeated: the backlog is read only up to where the outbox has been read. While an endpoint is parked, what is read of the outbox
 * leaves its notifications to the backlog. The backlog ends at the outbox's cursor.
 *
 * So the outbox can be read without a parked endpoint's notifications. The first entry left to the backlog keeps the cursor until
 * the backlog is on record, which then covers everything after it.
 */

import type { OutboxEntry } from "../cursor.ts";
import type { NotificationSource } from "../queued-notification.ts";

/** What the tables have about an endpoint. */
export type EndpointState = { backlogFrom: number | null; failing: boolean };

/** A page of the backlog that is being read. */
export type BacklogPage = {
  /** The first sequence to read. */
  readonly from: number;
  /** The page is void if the endpoint was parked meanwhile. */
  readonly generation: number;
};

export class Backlog {
  #isParked: boolean;
  /** Where to continue reading. While not parked, where reading ended. */
  #next: number;
  /** How many notifications of the outbox were left to the backlog. 0 while not parked. */
  #skipped = 0;
  /** First attempts that are queued, in flight or not yet on record, in the order of their sequence. */
  readonly #unsettled = new Set<number>();
  /** What the record covers for certain, even if a write with an unknown outcome takes effect. */
  #coveredFrom: number;
  /** Skipped entries of the outbox that no record covers yet. */
  readonly #uncovered: OutboxEntry[] = [];
  #recorded: EndpointState | undefined;
  #readAt = 0;
  #generation = 0;

  /** @param recorded what the tables have */
  constructor(recorded: EndpointState) {
    const { backlogFrom } = recorded;
    this.#recorded = recorded;
    this.#isParked = backlogFrom !== null;
    this.#next = backlogFrom ?? 0;
    this.#coveredFrom = backlogFrom ?? Number.POSITIVE_INFINITY;
  }

  get isParked(): boolean {
    return this.#isParked;
  }

  /** Whether something of the outbox was left to it. */
  get hasSkipped(): boolean {
    return this.#skipped > 0;
  }

  /** When it was last read, by `performance.now()`. */
  get readAt(): number {
    return this.#readAt;
  }

  /** What the tables have; undefined while that is unknown. */
  get recorded(): Readonly<EndpointState> | undefined {
    return this.#recorded;
  }

  /** Whether forgetting it loses nothing. @param failing whether the endpoint's last attempt failed */
  isSaved(failing: boolean): boolean {
    if (this.#unsettled.size + this.#uncovered.length > 0) return false;
    return this.#recorded?.backlogFrom === this.#firstToRecord() && this.#recorded.failing === failing;
  }

  /** Where the backlog on record must begin; null for none. */
  #firstToRecord(): number | null {
    const [first] = this.#unsettled;
    if (this.#isParked) return Math.min(this.#next, first ?? this.#next);
    // What was taken from the backlog stays a part of it until its attempt is on record.
    return first !== undefined && first < this.#next ? first : null;
  }

  isUnsettled(sequence: number): boolean {
    return this.#unsettled.has(sequence);
  }

  /** A first attempt is queued. */
  addUnsettled(sequence: number): void {
    this.#unsettled.add(sequence);
  }

  /** A first attempt is on record. */
  settle(sequence: number): void {
    this.#unsettled.delete(sequence);
  }

  /** Leaves the outbox's next notification, and those after it, to the backlog. */
  skip(sequence: number, entry: OutboxEntry): void {
    if (!this.#isParked) this.#next = sequence;
    this.#isParked = true;
    this.#skipped += 1;
    this.#cover(sequence, entry);
  }

  /** Takes back a first attempt that was queued and has not begun. */
  putBack(sequence: number, source: NotificationSource): void {
    this.#next = this.#isParked ? Math.min(this.#next, sequence) : sequence;
    this.#isParked = true;
    this.#unsettled.delete(sequence);
    if (source.from === "outbox") this.#cover(sequence, source.entry);
  }

  #cover(sequence: number, entry: OutboxEntry): void {
    if (this.#coveredFrom <= sequence) entry.done = true;
    else this.#uncovered.push(entry);
  }

  /** Makes the page that is being read void. */
  cancelPage(): void {
    this.#generation += 1;
  }

  /** Begins to read a page. @param now by `performance.now()` */
  openPage(now: number): BacklogPage {
    this.#readAt = now;
    return { from: this.#next, generation: this.#generation };
  }

  isCurrent({ generation }: BacklogPage): boolean {
    return generation === this.#generation;
  }

  /**
   * Moves past a page.
   *
   * @param last the page's last sequence; undefined for an empty page
   * @param isEnd whether the backlog has no more up to where the outbox has been read
   */
  closePage(last: number | undefined, isEnd: boolean): void {
    if (last !== undefined) this.#next = last + 1;
    if (!isEnd) return;
    this.#isParked = false;
    this.#skipped = 0;
  }

  /**
   * Begins to write what the tables must have. Until the write is confirmed, only what both the old and the new record cover counts as covered.
   *
   * @param exactly also when a better record would only save work after a crash
   * @returns undefined if the record is good enough. Call `confirm` once the write is confirmed, and never if its outcome stays unknown
   */
  beginSave(failing: boolean, exactly: boolean): { state: EndpointState; confirm: () => void } | undefined {
    const state = { backlogFrom: this.#firstToRecord(), failing };
    if (!this.#mustSave(state, exactly)) return undefined;
    const coveredFrom = state.backlogFrom ?? Number.POSITIVE_INFINITY;
    this.#coveredFrom = Math.max(this.#coveredFrom, coveredFrom);
    this.#recorded = undefined;
    const entries = this.#uncovered.slice();
    const confirm = () => {
      this.#coveredFrom = coveredFrom;
      this.#recorded = state;
      for (const entry of entries) entry.done = true;
      this.#uncovered.splice(0, entries.length);
    };
    return { state, confirm };
  }

  #mustSave({ backlogFrom, failing }: EndpointState, exactly: boolean): boolean {
    const recorded = this.#recorded;
    if (!recorded || recorded.failing !== failing || this.#uncovered.length > 0) return true;
    if (recorded.backlogFrom === backlogFrom) return false;
    const beginsOrEnds = recorded.backlogFrom === null || backlogFrom === null || backlogFrom < recorded.backlogFrom;
    return beginsOrEnds || exactly;
  }

  /** Somebody activated the webhook again, which cleared the failure on record. */
  clearFailure(): void {
    if (this.#recorded) this.#recorded = { ...this.#recorded, failing: false };
  }

  /** The webhook is deleted: nothing is owed any more. */
  drop(): void {
    for (const entry of this.#uncovered.splice(0)) entry.done = true;
  }
}
