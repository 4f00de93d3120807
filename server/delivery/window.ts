/**
 * What has been read of one shard's stream of one chain and is not yet done. Its cursor is the position up to which
 * everything is done: that may be recorded, and whoever takes over starts there.
 */

/** A place in the stream. It is done when its first attempt is on record, or when it lies in a backlog on record. */
export type Place = { readonly position: number; readonly recordedOn: string; done: boolean };

export type Window = {
  readonly chainId: string;
  /** The position read last, and a day before which nothing behind it was recorded. */
  readPosition: number;
  readSince: string;
  /** Whether the last reading ended at its limit. */
  full: boolean;
  /** Positions up to this one may have been attempted by an owner before. */
  readonly recoverUpTo: number;
  /** The cursor, and what of it is on record. */
  position: number;
  recordedOn: string;
  written: number;
  readonly places: Place[];
};

/** @param start the cursor on record @param recoverUpTo the chain's newest position when the shard was taken over */
export function openWindow(
  { chainId, position, recordedOn }: { chainId: string; position: number; recordedOn: string },
  recoverUpTo: number,
): Window {
  const read = { readPosition: position, readSince: recordedOn, full: false };
  return { chainId, ...read, recoverUpTo, position, recordedOn, written: position, places: [] };
}

/** Adds the next row read. @returns its place */
export function addPlace(window: Window, { position, recordedOn }: { position: number; recordedOn: string }): Place {
  const place = { position, recordedOn, done: false };
  window.places.push(place);
  noteRead(window, position, recordedOn);
  return place;
}

/** Takes note that everything up to a position has been read, as of a day. */
export function noteRead(window: Window, position: number, day: string): void {
  window.readPosition = position;
  window.readSince = day;
}

/** Moves the cursor over everything that is done. @returns whether it is ahead of what is on record */
export function settleWindow(window: Window): boolean {
  const { places } = window;
  let count = 0;
  while (places[count]?.done) count += 1;
  const last = places[count - 1];
  if (count === places.length) {
    window.position = window.readPosition;
    window.recordedOn = window.readSince;
  } else if (last) {
    window.position = last.position;
    window.recordedOn = last.recordedOn;
  }
  places.splice(0, count);
  return window.position > window.written;
}
