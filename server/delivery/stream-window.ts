/**
 * The part of a shard's stream of one chain that was read and is not done yet. Everything up to its cursor is done. The cursor may be
 * recorded, and the shard's next owner starts there.
 *
 * An account with more in the stream than it can take is read separately, with its own progress in the same stream. Others' later
 * notifications are read meanwhile. The cursor passes nothing that is not done in either. The next owner does not know of this: it reads
 * on from the cursor and skips what has attempts.
 */

/** A notification in the stream. It is done when its first attempt, or a backlog that holds it, is on record. */
export type StreamEntry = { readonly position: number; readonly recordedOn: string; done: boolean };

/** How far a stream was read, and which of it is not done. */
export type StreamProgress = {
  /** The last position read, and a day before which nothing behind it was recorded. */
  readPosition: number;
  readSince: string;
  /** Whether the last read ended at its limit. */
  full: boolean;
  /** Whether most of the last read shares POSTs. */
  batched: boolean;
  /** Everything up to this position is done; and the day of its recording. */
  position: number;
  recordedOn: string;
  /** In the order of their positions. */
  readonly entries: StreamEntry[];
};

export type StreamWindow = StreamProgress & {
  readonly chainId: string;
  /** An earlier owner may have attempted positions up to this one. */
  readonly recoverUpTo: number;
  /** The cursor on record. */
  written: number;
  /** The accounts that are read separately. They are never ahead of the window. */
  readonly separate: Map<number, StreamProgress>;
};

/** @param start the cursor on record @param recoverUpTo the chain's newest position when the shard was claimed */
export function openWindow(
  { chainId, position, recordedOn }: { chainId: string; position: number; recordedOn: string },
  recoverUpTo: number,
): StreamWindow {
  return { chainId, recoverUpTo, written: position, separate: new Map(), ...openProgress(position, recordedOn) };
}

function openProgress(position: number, recordedOn: string): StreamProgress {
  return {
    readPosition: position,
    readSince: recordedOn,
    full: false,
    batched: false,
    position,
    recordedOn,
    entries: [],
  };
}

/** From now on reads the window without the account's notifications, and these separately. */
export function separate({ separate, readPosition, readSince }: StreamWindow, accountId: number): void {
  if (!separate.has(accountId)) separate.set(accountId, openProgress(readPosition, readSince));
}

/** Ends that once the account's notifications have been read as far as the others'. @returns whether they have */
export function rejoin(window: StreamWindow, accountId: number): boolean {
  const progress = window.separate.get(accountId);
  if (!progress) return true;
  if (progress.readPosition < window.readPosition) return false;
  window.entries.push(...progress.entries);
  window.entries.sort((a, b) => a.position - b.position);
  window.separate.delete(accountId);
  return true;
}

/** @returns up to which position the account's notifications have been read */
export function readPositionOf({ separate, readPosition }: StreamWindow, accountId: number): number {
  return separate.get(accountId)?.readPosition ?? readPosition;
}

/** Adds the next row read. */
export function addEntry(
  progress: StreamProgress,
  { position, recordedOn }: { position: number; recordedOn: string },
): StreamEntry {
  const entry = { position, recordedOn, done: false };
  progress.entries.push(entry);
  noteRead(progress, position, recordedOn);
  return entry;
}

/** Everything up to a position has been read, as of a day. */
export function noteRead(progress: StreamProgress, position: number, day: string): void {
  progress.readPosition = position;
  progress.readSince = day;
}

/** Moves the cursor over everything that is done. @returns whether it is ahead of the cursor on record */
export function advanceWindow(window: StreamWindow): boolean {
  advance(window);
  for (const progress of window.separate.values()) {
    advance(progress);
    if (progress.position >= window.position) continue;
    window.position = progress.position;
    window.recordedOn = progress.recordedOn;
  }
  return window.position > window.written;
}

function advance(progress: StreamProgress): void {
  const { entries } = progress;
  let count = 0;
  while (entries[count]?.done) count += 1;
  const last = entries[count - 1];
  if (count === entries.length) {
    progress.position = progress.readPosition;
    progress.recordedOn = progress.readSince;
  } else if (last) {
    progress.position = last.position;
    progress.recordedOn = last.recordedOn;
  }
  entries.splice(0, count);
}
