/**
 * Lets clients take turns. All requests share the event loop and few connections to the database, first come, first served. After 30 large
 * creations of one account, every other request would wait for all of them. So each client has some requests in work, and its
 * others wait here, in nobody's way. Without this, creations of 2,000 addresses over 32 connections slowed another account's requests from
 * 14 ms to 1,600 ms (`npm run bench api -- --only fairness`).
 */
import { isIPv4 } from "node:net";
import { setTimeout as pause, setImmediate as workIsDone } from "node:timers/promises";
import type { Request } from "express";
import ipaddr from "ipaddr.js";
import { mayHoldMore } from "../../base/fair-share.ts";

/** Calls `begin` when it is the client's turn. @returns what ends the turn, also one that has not come yet */
type TakeTurn = (client: string, begin: () => void) => () => void;

type Waiting = { begin(place: Place): void };

/** @param places how many requests may be in work; a client has at most as many as it leaves free */
export function turns(places: number): TakeTurn {
  const shares = dividePlaces(places, 1);
  const lines = new Map<string, Set<Waiting>>();
  const beginNext = (): void => {
    for (const [client, line] of lines) {
      const place = shares.take(client);
      if (!place) continue;
      const [first] = line;
      // After its turn, a client goes behind all others.
      lines.delete(client);
      if (first) line.delete(first);
      if (line.size > 0) lines.set(client, line);
      first?.begin(place);
      beginNext();
      return;
    }
  };
  return (client, begin) => {
    let taken: Place | undefined;
    const own: Waiting = {
      begin(place) {
        taken = place;
        // Later, since the caller needs what ends the turn before it begins.
        queueMicrotask(() => taken && begin());
      },
    };
    const line = lines.get(client) ?? new Set();
    lines.set(client, line.add(own));
    beginNext();
    return () => {
      line.delete(own);
      if (line.size === 0 && lines.get(client) === line) lines.delete(client);
      if (!taken) return;
      taken.leave();
      taken = undefined;
      beginNext();
    };
  };
}

/** A place that a client holds. */
export type Place = {
  /** Others may take it from now on; it still counts for its client. */
  free(): void;
  /** It no longer counts for its client either. */
  leave(): void;
};

/**
 * Divides places among clients by the rule in fair-share.ts: by default each may hold three times what is free. Places that clients share.
 */
type Shares = {
  used(): number;
  /** @param max how many places there are now, if fewer than usual @returns undefined when there is none for this client */
  take(client: string, max?: number): Place | undefined;
};

/** @param places how many there are @param timesFree how many times the free ones a client may hold */
export function dividePlaces(places: number, timesFree = 3): Shares {
  let used = 0;
  const placesOf = new Map<string, number>();
  const mayTake = (client: string, max: number): boolean => {
    const has = placesOf.get(client) ?? 0;
    // A client without a place gets one also while there are fewer than usual, since others caused that.
    return has === 0 ? used < places : used < max && mayHoldMore(has, used, max, timesFree);
  };
  return {
    used: () => used,
    take(client, max = places) {
      if (!mayTake(client, max)) return undefined;
      used += 1;
      placesOf.set(client, (placesOf.get(client) ?? 0) + 1);
      let isUsed = true;
      let isTaken = true;
      const place: Place = {
        free() {
          if (isUsed) used -= 1;
          isUsed = false;
        },
        leave() {
          place.free();
          if (!isTaken) return;
          isTaken = false;
          const left = (placesOf.get(client) ?? 0) - 1;
          if (left > 0) placesOf.set(client, left);
          else placesOf.delete(client);
        },
      };
      return place;
    },
  };
}

/** The client of a request without a key: its address, as the trusted proxies report it, or the network that one client has for itself. */
export function clientAddress({ ip = "" }: Request): string {
  return networkOf(ip);
}

/**
 * The part of the address space that one client has. Of an IPv6 address only the first 64 bits count, since a client can choose all the
 * others. An IPv4 address that is written as IPv6 counts as IPv4.
 */
export function networkOf(ip: string): string {
  if (isIPv4(ip)) return ip;
  if (!ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** What is smaller costs about as much as any answer. */
const large = 65_536;
/** An account waits nine times as long as its large answer took. So others have nine tenths of the event loop. */
const restAfterAnswer = 9;

/** Settles when it is the account's turn. The answer must then be made without waiting for anything else. */
type TakeLargeAnswer = (accountId: number, characters: number) => Promise<void>;

/**
 * Divides what large answers cost. A notification may have megabytes. To make an answer of one keeps the event loop busy for 13 ms a
 * megabyte, and nobody else is answered meanwhile: eight connections that got one of 4 MB again and again took the API from all other accounts.
 */
export function largeAnswers(): TakeLargeAnswer {
  /** Settles when the account may have its next one. */
  const rested = new Map<number, Promise<void>>();
  return async (accountId, characters) => {
    if (characters < large) return;
    const turn = rested.get(accountId) ?? Promise.resolve();
    const own = turn.then(async () => {
      const from = performance.now();
      await workIsDone();
      await pause(restAfterAnswer * (performance.now() - from));
      if (rested.get(accountId) === own) rested.delete(accountId);
    });
    rested.set(accountId, own);
    await turn;
  };
}
