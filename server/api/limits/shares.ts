/** Divides places among clients by the rule in fair-share.ts: by default each may hold three times what is free. */
import { mayHoldMore } from "../../base/fair-share.ts";

/** A place that a client holds. */
export type Place = {
  /** Others may take it from now on; it still counts for its client. */
  free(): void;
  /** It no longer counts for its client either. */
  leave(): void;
};

/** Places that clients share. */
type Shares = {
  used(): number;
  /** @param max how many places there are now, if fewer than usual @returns undefined when there is none for this client */
  take(client: string, max?: number): Place | undefined;
};

/** @param places how many there are @param timesFree how many times the free ones a client may hold */
export function divide(places: number, timesFree = 3): Shares {
  let used = 0;
  const held = new Map<string, number>();
  const mayTake = (client: string, max: number): boolean => {
    const has = held.get(client) ?? 0;
    // A client without a place gets one also while there are fewer than usual, since others caused that.
    return has === 0 ? used < places : used < max && mayHoldMore(has, used, max, timesFree);
  };
  return {
    used: () => used,
    take(client, max = places) {
      if (!mayTake(client, max)) return undefined;
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
