/** Divides places among clients (fair-share.ts): three times what is free for each, unless a caller says otherwise. */
import { mayHoldMore } from "../fair-share.ts";

/** A place that a client holds. */
export type Place = {
  /** Others may have it from now on; it still counts for its client. */
  free(): void;
  /** It is gone, for the client too. */
  leave(): void;
};

/** Places that clients share. */
export type Shares = {
  used(): number;
  /** @param most so many there are now, if fewer than usual @returns undefined when there is none for this client */
  take(client: string, most?: number): Place | undefined;
};

/** @param all how many places there are @param timesWhatIsFree how many a client may hold */
export function divide(all: number, timesWhatIsFree = 3): Shares {
  let used = 0;
  const held = new Map<string, number>();
  const mayTake = (client: string, most: number): boolean => {
    const has = held.get(client) ?? 0;
    // Who has none is let in also while there are fewer than usual: that they are fewer is the others' doing.
    return has === 0 ? used < all : used < most && mayHoldMore(has, used, most, timesWhatIsFree);
  };
  return {
    used: () => used,
    take(client, most = all) {
      if (!mayTake(client, most)) return undefined;
      used += 1;
      held.set(client, (held.get(client) ?? 0) + 1);
      let isUsed = true;
      let isHeld = true;
      const place: Place = {
        free() {
          if (isUsed) used -= 1;
          isUsed = false;
        },
        leave() {
          place.free();
          if (!isHeld) return;
          isHeld = false;
          const left = (held.get(client) ?? 0) - 1;
          if (left > 0) held.set(client, left);
          else held.delete(client);
        },
      };
      return place;
    },
  };
}
