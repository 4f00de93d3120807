/**
 * How far a shard's outbox of one chain was read, and which of it is not done yet. Everything up to the cursor is done. The cursor may be
 * recorded, and the shard's next owner starts there.
 *
 * An account with more in the outbox than it can take is read separately, with its own progress in the same outbox. Others' later
 * notifications are read meanwhile. The cursor passes nothing that is not done in either. The next owner does not know of this: it reads
 * on from the cursor and skips what has attempts.
 */

/** A notification in the outbox. It is done when its first attempt, or a backlog that holds it, is on record. */
export type OutboxEntry = { readonly position: number; readonly recordedOn: string; done: boolean };

/** A position, and the day of its recording. */
type Place = { position: number; recordedOn: string };

/** How far some accounts' notifications were read, and which of them are not done. */
export class ReadProgress {
  /** The last position read, and a day before which nothing after it was recorded. */
  readPosition: number;
  readSince: string;
  /** Whether the last read ended at its limit. */
  isFull = false;
  /** Whether most of the last read shares POSTs. */
  isBatched = false;
  /** Everything up to this position is done; and the day of its recording. */
  position: number;
  recordedOn: string;
  /** In the order of their positions. */
  readonly entries: OutboxEntry[] = [];

  constructor({ position, recordedOn }: Place) {
    this.readPosition = position;
    this.readSince = recordedOn;
    this.position = position;
    this.recordedOn = recordedOn;
  }

  /** Adds the next row read. */
  add({ position, recordedOn }: Place): OutboxEntry {
    const entry = { position, recordedOn, done: false };
    this.entries.push(entry);
    this.noteRead(position, recordedOn);
    return entry;
  }

  /** Everything up to a position has been read, as of a day. */
  noteRead(position: number, day: string): void {
    this.readPosition = position;
    this.readSince = day;
  }

  /** Moves over everything that is done. */
  passDone(): void {
    const { entries } = this;
    let count = 0;
    while (entries[count]?.done) count += 1;
    const last = entries[count - 1];
    if (count === entries.length) {
      this.position = this.readPosition;
      this.recordedOn = this.readSince;
    } else if (last) {
      this.position = last.position;
      this.recordedOn = last.recordedOn;
    }
    entries.splice(0, count);
  }
}

export class OutboxCursor extends ReadProgress {
  readonly chainId: string;
  /** An earlier owner may have attempted positions up to this one. */
  readonly recoverUpTo: number;
  /** The position on record. */
  #recorded: number;
  /** The accounts that are read separately. They are never ahead of the others. */
  readonly #separate = new Map<number, ReadProgress>();

  /** @param recorded what is on record @param recoverUpTo the chain's newest position when the shard was claimed */
  constructor(recorded: Place & { chainId: string }, recoverUpTo: number) {
    super(recorded);
    this.chainId = recorded.chainId;
    this.recoverUpTo = recoverUpTo;
    this.#recorded = recorded.position;
  }

  /** Whether everybody's notifications are read together, and none that follow can have attempts. */
  get isPlain(): boolean {
    return !this.isFull && this.#separate.size === 0 && this.readPosition >= this.recoverUpTo;
  }

  /** The accounts that are read separately. */
  get separateIds(): Iterable<number> {
    return this.#separate.keys();
  }

  /** @returns the progress of an account that is read separately */
  separateOf(accountId: number): ReadProgress | undefined {
    return this.#separate.get(accountId);
  }

  /** From now on reads the outbox without the account's notifications, and these separately. */
  separate(accountId: number): void {
    if (this.#separate.has(accountId)) return;
    this.#separate.set(accountId, new ReadProgress({ position: this.readPosition, recordedOn: this.readSince }));
  }

  /** Ends that once the account's notifications have been read as far as the others'. @returns whether they have */
  rejoin(accountId: number): boolean {
    const progress = this.#separate.get(accountId);
    if (!progress) return true;
    if (progress.readPosition < this.readPosition) return false;
    this.entries.push(...progress.entries);
    this.entries.sort((a, b) => a.position - b.position);
    this.#separate.delete(accountId);
    return true;
  }

  /** @returns up to which position the account's notifications have been read */
  readPositionOf(accountId: number): number {
    return this.#separate.get(accountId)?.readPosition ?? this.readPosition;
  }

  /** Moves over everything that is done, for all accounts. @returns whether it is ahead of what is on record */
  advance(): boolean {
    this.passDone();
    for (const progress of this.#separate.values()) {
      progress.passDone();
      if (progress.position >= this.position) continue;
      this.position = progress.position;
      this.recordedOn = progress.recordedOn;
    }
    return this.position > this.#recorded;
  }

  /** A position is on record. */
  noteRecorded(position: number): void {
    this.#recorded = position;
  }
}
