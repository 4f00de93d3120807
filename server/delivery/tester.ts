/** Sends the test notifications that clients request: once each, past the queues, and without effect on the endpoint's state. */
import type { Logger } from "../base/log.ts";
import type { Keyring } from "../settings/keyring.ts";
import { canSign, readEndpoints } from "../store/delivery/endpoint-states.ts";
import { type RequestedTest, takeTests, writeTestOutcome } from "../store/delivery/test-sends.ts";
import type { Pool } from "../store/pool.ts";
import type { Account, Accounts } from "./account.ts";
import { settingsOf } from "./endpoint-settings.ts";
import type { Outcome } from "./exchange.ts";
import type { Abortable } from "./in-flight.ts";
import type { Post } from "./post.ts";
import { isLost, isOpen, type Shard } from "./shard.ts";

/** How often to poll at most. While announcements arrive, only for missed ones. */
const periodMs = { hearing: 250, deaf: 50 };

type Tester = {
  /** Finds requested tests in the owned shards, and sends them. Delivery continues meanwhile. @param options.isAnnounced polls regardless of the time */
  look(options?: { isAnnounced: boolean }): void;
};

export function createTester(context: {
  pool: Pool;
  keyring: Keyring;
  log: Logger;
  shards: ReadonlyMap<number, Shard>;
  post: Post;
  accounts: Accounts;
  /** Whether announcements of tests arrive. */
  hears: () => boolean;
}): Tester {
  const { pool, keyring, log, shards, post, accounts, hears } = context;
  let lookedAt = 0;
  let isLooking = false;
  let mustLookAgain = false;
  /** Accounts with tests in flight. The API reports tests that find no room in time. */
  const sending = new Set<Account>();

  async function send(shard: Shard, test: RequestedTest, inFlight: Abortable): Promise<void> {
    const { messageId, webhookId, event } = test;
    const [record] = await readEndpoints(pool, [webhookId], keyring);
    if (!record || isLost(shard)) return;
    if (!canSign(record)) throw record.unreadable ?? new Error("there is no secret to sign with");
    const sentAt = performance.now();
    const outcome = await new Promise<Outcome | undefined>((resolve) => {
      const addressee = { webhookId, batch: record.batch, ...settingsOf(record) };
      const exchange = post(addressee, [{ messageId, sequence: 0, eventText: event }], resolve);
      inFlight.abort = () => exchange.abort();
    });
    if (!outcome) return;
    await writeTestOutcome(pool, test, {
      ageMs: performance.now() - sentAt,
      durationMs: outcome.durationMs,
      responseStatus: outcome.status ?? null,
      responseBody: outcome.body ?? null,
      errorClass: outcome.errorClass ?? null,
    });
  }

  async function sendRequested(open: readonly Shard[]): Promise<void> {
    const ids = open.map(({ id }) => id);
    const counts = new Map([...sending].map(({ id, tests }) => [id, tests.own]));
    for (const test of await takeTests(pool, ids, counts, accounts.all.tests.limit)) {
      const shard = shards.get(test.shard);
      if (!shard) continue;
      const account = accounts.of(test.accountId);
      account.tests.add(1);
      sending.add(account);
      const inFlight: Abortable = { abort: () => {} };
      shard.exchanges.add(inFlight);
      void send(shard, test, inFlight)
        .catch((err: unknown) => log.warn({ err, webhookId: test.webhookId }, "a test's outcome could not be recorded"))
        .finally(() => {
          account.tests.add(-1);
          if (account.tests.own === 0) sending.delete(account);
          shard.exchanges.delete(inFlight);
          look({ isAnnounced: true });
        });
    }
  }

  function look({ isAnnounced } = { isAnnounced: false }): void {
    mustLookAgain ||= isAnnounced && isLooking;
    const open = [...shards.values()].filter(isOpen);
    const isDue = isAnnounced || performance.now() - lookedAt >= (hears() ? periodMs.hearing : periodMs.deaf);
    if (open.length === 0 || isLooking || !isDue || accounts.all.tests.held >= accounts.all.tests.limit) return;
    isLooking = true;
    mustLookAgain = false;
    lookedAt = performance.now();
    sendRequested(open)
      .catch((err: unknown) => log.warn({ err }, "requested tests could not be read; it will be retried"))
      .finally(() => {
        isLooking = false;
        if (mustLookAgain) look({ isAnnounced: true });
      });
  }

  return { look };
}
