/**
 * What has been read of one shard's stream of one chain and is not yet done. Its cursor is the position up to which
 * everything is done: that may be recorded, and whoever takes over starts there.
 *
 * An account that has more in the stream than it can take at present is read apart, with a window of its own over the same stream:
 * what is others' behind it is read meanwhile. The cursor passes neither what the window nor what those apart have not done. Who
 * takes over knows nothing of it: it reads on from the cursor and passes over what was attempted.
 */

/** A place in the stream. It is done when its first attempt is on record, or when it lies in a backlog on record. */
export type Place = { readonly position: number; readonly recordedOn: string; done: boolean };

/** How far a stream was read, and what of it is not done. */
export type Reading = {
  /** The position read last, and a day before which nothing behind it was recorded. */
  readPosition: number;
  readSince: string;
  /** Whether the last reading ended at its limit. */
  full: boolean;
  /** Everything up to this position is done; and the day on which it was recorded. */
  position: number;
  recordedOn: string;
  /** In the order of their positions. */
  readonly places: Place[];
};

export type Window = Reading & {
  readonly chainId: string;
  /** Positions up to this one may have been attempted by an owner before. */
  readonly recoverUpTo: number;
  /** The cursor on record. */
  written: number;
  /** By account. They are never ahead of the window. */
  readonly apart: Map<number, Reading>;
};

/** @param start the cursor on record @param recoverUpTo the chain's newest position when the shard was taken over */
export function openWindow(
  { chainId, position, recordedOn }: { chainId: string; position: number; recordedOn: string },
  recoverUpTo: number,
): Window {
  return { chainId, recoverUpTo, written: position, apart: new Map(), ...openReading(position, recordedOn) };
}

function openReading(position: number, recordedOn: string): Reading {
  return { readPosition: position, readSince: recordedOn, full: false, position, recordedOn, places: [] };
}

/** From here on the window is read without the account's notifications, and these apart. */
export function readApart({ apart, readPosition, readSince }: Window, accountId: number): void {
  if (!apart.has(accountId)) apart.set(accountId, openReading(readPosition, readSince));
}

/** Ends that, once the account's notifications have been read as far as the others'. @returns whether they have */
export function rejoin(window: Window, accountId: number): boolean {
  const reading = window.apart.get(accountId);
  if (!reading) return true;
  if (reading.readPosition < window.readPosition) return false;
  window.places.push(...reading.places);
  window.places.sort((a, b) => a.position - b.position);
  window.apart.delete(accountId);
  return true;
}

/** @returns up to which position the account's notifications have been read */
export function readPositionOf({ apart, readPosition }: Window, accountId: number): number {
  return apart.get(accountId)?.readPosition ?? readPosition;
}

/** Adds the next row read. @returns its place */
export function addPlace(reading: Reading, { position, recordedOn }: { position: number; recordedOn: string }): Place {
  const place = { position, recordedOn, done: false };
  reading.places.push(place);
  noteRead(reading, position, recordedOn);
  return place;
}

/** Takes note that everything up to a position has been read, as of a day. */
export function noteRead(reading: Reading, position: number, day: string): void {
  reading.readPosition = position;
  reading.readSince = day;
}

/** Moves the cursor over everything that is done. @returns whether it is ahead of what is on record */
export function settleWindow(window: Window): boolean {
  settle(window);
  for (const reading of window.apart.values()) {
    settle(reading);
    if (reading.position >= window.position) continue;
    window.position = reading.position;
    window.recordedOn = reading.recordedOn;
  }
  return window.position > window.written;
}

function settle(reading: Reading): void {
  const { places } = reading;
  let count = 0;
  while (places[count]?.done) count += 1;
  const last = places[count - 1];
  if (count === places.length) {
    reading.position = reading.readPosition;
    reading.recordedOn = reading.readSince;
  } else if (last) {
    reading.position = last.position;
    reading.recordedOn = last.recordedOn;
  }
  places.splice(0, count);
}
