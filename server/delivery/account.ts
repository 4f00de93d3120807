/**
 * What the accounts of one delivery process share, and the one rule that divides it: an account takes more of something only
 * while it holds less of it than is free. Alone it gets half; of k accounts that want all they can get, each holds a (k + 1)th,
 * and as much is free for whoever comes next. A slot that a hanging exchange holds cannot be taken back for ten seconds, so room
 * must be free before it is needed. Network switches share their buffers in this way (Choudhury and Hahne, "Dynamic Queue Length
 * Thresholds", 1998).
 */

/** How much is held of what is shared. */
export type Use = {
  /** Exchanges in flight. */
  exchanges: number;
  /** Those of them with endpoints that have not answered quickly yet, and with those that failed or took long the last time. */
  new: number;
  slow: number;
  /** Bytes of the bodies in flight. */
  bytes: number;
  /** Results that wait for the database. */
  unrecorded: number;
  /** Notifications that wait in memory, and the characters of their texts. */
  tasks: number;
  characters: number;
  /** Tests in flight. */
  tests: number;
};

/** An account alone gets half of each. */
export const limits: Readonly<Use> = {
  exchanges: 1_024,
  new: 512,
  slow: 512,
  bytes: 256_000_000,
  unrecorded: 10_000,
  tasks: 40_000,
  characters: 128_000_000,
  tests: 64,
};

export type Account = {
  readonly id: number;
  readonly use: Use;
  /** What all accounts of the process hold together. */
  readonly all: Use;
};

export type Accounts = {
  readonly all: Readonly<Use>;
  /** @returns the account, always the same object */
  of(id: number): Account;
  /** Every account that this process has met. */
  met(): Iterable<Account>;
};

export function createAccounts(): Accounts {
  const all = nothing();
  const byId = new Map<number, Account>();
  return {
    all,
    of(id) {
      const account = byId.get(id) ?? { id, use: nothing(), all };
      byId.set(id, account);
      return account;
    },
    met: () => byId.values(),
  };
}

function nothing(): Use {
  return { exchanges: 0, new: 0, slow: 0, bytes: 0, unrecorded: 0, tasks: 0, characters: 0, tests: 0 };
}

/** Takes note of what an account holds more, or less. */
export function hold({ use, all }: Account, what: keyof Use, amount: number): void {
  use[what] += amount;
  all[what] += amount;
}

/** The rule. @param part of what is free that it may hold: 1 unless some of it is kept for another purpose */
export function mayHoldMore(own: number, all: number, limit: number, part = 1): boolean {
  return own < part * (limit - all);
}

/** Whether the account may take more of it. */
export function mayTake({ use, all }: Account, what: keyof Use, part?: number): boolean {
  return mayHoldMore(use[what], all[what], limits[what], part);
}

/** Whether the account may have more notifications wait in memory. */
export function hasMemory(account: Account, part?: number): boolean {
  return mayTake(account, "tasks", part) && mayTake(account, "characters", part);
}
