/** What the accounts of one delivery process share. An account alone gets half of each (fair-share.ts). */
import { mayHoldMore } from "../base/fair-share.ts";

/** What an account has of one shared thing. A class, so that V8 inlines what happens several times for each exchange. */
class Share {
  own = 0;
  /** What all accounts of the process have in total, and how much there is. */
  readonly total: { used: number; readonly limit: number };

  constructor(total: Share["total"]) {
    this.total = total;
  }

  /** @param amount negative to give something back */
  add(amount: number): void {
    this.own += amount;
    this.total.used += amount;
  }

  /** Whether the account may take more. @param part of what is free that it may hold: 1 unless some is kept for another purpose */
  mayGrow(part?: number): boolean {
    return mayHoldMore(this.own, this.total.used, this.total.limit, part);
  }
}

/** How quickly an endpoint answers. Those that are new or slow may use only a part of their account's exchanges. */
export type Speed = "quick" | "new" | "slow";

/** The amount of each. */
const limits = {
  /** Exchanges in flight. */
  exchanges: 1_024,
  /** Notifications in flight, of which a batch has up to 100. */
  inFlight: 20_000,
  /** Those with endpoints that have not answered quickly yet, and those with endpoints that failed or took long the last time. */
  new: 512,
  slow: 512,
  /** Bytes of the bodies in flight. */
  bytes: 256_000_000,
  /** Attempts that wait for the database. */
  unrecorded: 10_000,
  /** Notifications that wait in memory, and the characters of their events. */
  notifications: 40_000,
  characters: 128_000_000,
  /** Tests in flight. */
  tests: 64,
};

/** What one account has of each. */
export type AccountShares = { readonly id: number } & Readonly<Record<keyof typeof limits, Share>>;

export type Accounts = {
  /** What all accounts have together. */
  readonly all: Readonly<Record<keyof typeof limits, Share["total"]>>;
  /** @returns the account, always the same object */
  of(id: number): AccountShares;
  /** Every account that this process has seen. */
  known(): Iterable<AccountShares>;
};

export function createAccounts(): Accounts {
  const total = (limit: number) => ({ used: 0, limit });
  const all = {
    exchanges: total(limits.exchanges),
    inFlight: total(limits.inFlight),
    new: total(limits.new),
    slow: total(limits.slow),
    bytes: total(limits.bytes),
    unrecorded: total(limits.unrecorded),
    notifications: total(limits.notifications),
    characters: total(limits.characters),
    tests: total(limits.tests),
  };
  const byId = new Map<number, AccountShares>();
  const open = (id: number): AccountShares => ({
    id,
    exchanges: new Share(all.exchanges),
    inFlight: new Share(all.inFlight),
    new: new Share(all.new),
    slow: new Share(all.slow),
    bytes: new Share(all.bytes),
    unrecorded: new Share(all.unrecorded),
    notifications: new Share(all.notifications),
    characters: new Share(all.characters),
    tests: new Share(all.tests),
  });
  return {
    all,
    of(id) {
      const account = byId.get(id) ?? open(id);
      byId.set(id, account);
      return account;
    },
    known: () => byId.values(),
  };
}

/** Whether the account may have more notifications wait in memory. */
export function hasMemory({ notifications, characters }: AccountShares, part?: number): boolean {
  return notifications.mayGrow(part) && characters.mayGrow(part);
}
