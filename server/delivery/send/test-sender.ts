/** Sends the test notifications that clients request: once each, past the queues, and without effect on the endpoint's state. */
import type { Logger } from "../../base/log.ts";
import type { Keyring } from "../../settings/keyring.ts";
import { canSend, readEndpoints } from "../../store/delivery/endpoint-states.ts";
import { type RequestedTest, takeTests, writeTestOutcome } from "../../store/delivery/test-sends.ts";
import type { Pool } from "../../store/pool.ts";
import type { AccountShares, Accounts } from "../accounts.ts";
import { settingsOf } from "../endpoint/endpoint.ts";
import { type Abortable, isLost, isOpen, type Shard } from "../shard.ts";
import type { Outcome } from "./exchange.ts";
import type { Post } from "./post.ts";

/** How often to poll at most. While announcements arrive, only for missed ones. */
const periodMs = { hearing: 250, deaf: 50 };

type TestSenderContext = {
  pool: Pool;
  keyring: Keyring;
  log: Logger;
  shards: ReadonlyMap<number, Shard>;
  post: Post;
  accounts: Accounts;
  /** Whether announcements of tests arrive. */
  hears: () => boolean;
};

export class TestSender {
  readonly #context: TestSenderContext;
  #lookedAt = 0;
  #isLooking = false;
  #mustLookAgain = false;
  /** Accounts with tests in flight. The API reports tests that find no room in time. */
  readonly #sending = new Set<AccountShares>();

  constructor(context: TestSenderContext) {
    this.#context = context;
  }

  /** Finds requested tests in the owned shards, and sends them. Delivery continues meanwhile. @param options.isAnnounced polls regardless of the time */
  look({ isAnnounced } = { isAnnounced: false }): void {
    const { shards, accounts, hears, log } = this.#context;
    this.#mustLookAgain ||= isAnnounced && this.#isLooking;
    const open = [...shards.values()].filter(isOpen);
    const isDue = isAnnounced || performance.now() - this.#lookedAt >= (hears() ? periodMs.hearing : periodMs.deaf);
    const { used, limit } = accounts.all.tests;
    if (open.length === 0 || this.#isLooking || !isDue || used >= limit) return;
    this.#isLooking = true;
    this.#mustLookAgain = false;
    this.#lookedAt = performance.now();
    this.#sendRequested(open)
      .catch((err: unknown) => log.warn({ err }, "requested tests could not be read; it will be retried"))
      .finally(() => {
        this.#isLooking = false;
        if (this.#mustLookAgain) this.look({ isAnnounced: true });
      });
  }

  async #sendRequested(open: readonly Shard[]): Promise<void> {
    const { pool, shards, accounts } = this.#context;
    const ids = open.map(({ id }) => id);
    const counts = new Map([...this.#sending].map(({ id, tests }) => [id, tests.own]));
    for (const test of await takeTests(pool, ids, counts, accounts.all.tests.limit)) {
      const shard = shards.get(test.shard);
      if (shard) this.#begin(shard, test, accounts.of(test.accountId));
    }
  }

  #begin(shard: Shard, test: RequestedTest, account: AccountShares): void {
    const { log } = this.#context;
    account.tests.add(1);
    this.#sending.add(account);
    const inFlight: Abortable = { abort: () => {} };
    shard.exchanges.add(inFlight);
    void this.#send(shard, test, inFlight)
      .catch((err: unknown) => log.warn({ err, webhookId: test.webhookId }, "a test's outcome could not be recorded"))
      .finally(() => {
        account.tests.add(-1);
        if (account.tests.own === 0) this.#sending.delete(account);
        shard.exchanges.delete(inFlight);
        this.look({ isAnnounced: true });
      });
  }

  async #send(shard: Shard, test: RequestedTest, inFlight: Abortable): Promise<void> {
    const { pool, keyring, post } = this.#context;
    const { messageId, webhookId, event } = test;
    const [record] = await readEndpoints(pool, [webhookId], keyring);
    if (!record || isLost(shard)) return;
    if (!canSend(record)) throw record.unreadable ?? new Error("there is no secret to sign with");
    const sentAt = performance.now();
    const outcome = await new Promise<Outcome | undefined>((resolve) => {
      const addressee = { webhookId, batch: record.batch, compatibility: record.compatibility, ...settingsOf(record) };
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
}
