/** Sends the tests that clients ask for: once each, beside the queues, and without a mark on the endpoint's state. */
import type { Logger } from "pino";
import { canSign, readEndpoints } from "../store/delivery/endpoint-states.ts";
import { takeTests, type WantedTest, writeTestOutcome } from "../store/delivery/test-sends.ts";
import type { Pool } from "../store/pool.ts";
import type { Keyring } from "../store/webhooks/keyring.ts";
import type { Account, Accounts } from "./account.ts";
import { openEndpoint } from "./endpoint.ts";
import type { Outcome } from "./exchange.ts";
import type { Post } from "./post.ts";
import { isOpen, type Shard } from "./shard.ts";
import type { Cuttable } from "./under-way.ts";

/** How often to look: where announcements are heard, only for those that were missed. */
const periodMs = { hearing: 1_000, deaf: 50 };

export type Tester = {
  /** Looks for what is asked for in the owned shards, and sends it. Nobody waits for it: delivery goes on meanwhile. @param options.asked whatever the time */
  look(options?: { asked: boolean }): void;
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
  let looking = false;
  let again = false;
  /** Who has tests in flight. Those that find no room in time are told so by the API. */
  const sending = new Set<Account>();

  async function send(shard: Shard, test: WantedTest, cutOff: Cuttable): Promise<void> {
    const { messageId, webhookId, event } = test;
    const [record] = await readEndpoints(pool, [webhookId], keyring);
    if (!record || shard.lease.lost.aborted) return;
    if (!canSign(record)) throw record.unreadable ?? new Error("there is no secret to sign with");
    const sentAt = performance.now();
    const endpoint = openEndpoint(record, accounts.of(record.accountId));
    const outcome = await new Promise<Outcome | undefined>((resolve) => {
      const exchange = post(endpoint, { messageId, sequence: 0, text: event }, resolve);
      cutOff.abort = () => exchange.abort();
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

  async function take(open: readonly Shard[]): Promise<void> {
    const ids = open.map(({ id }) => id);
    const inFlight = new Map([...sending].map(({ id, tests }) => [id, tests.own]));
    for (const test of await takeTests(pool, ids, inFlight, accounts.all.tests.limit)) {
      const shard = shards.get(test.shard);
      if (!shard) continue;
      const account = accounts.of(test.accountId);
      account.tests.add(1);
      sending.add(account);
      const cutOff: Cuttable = { abort: () => {} };
      shard.exchanges.add(cutOff);
      void send(shard, test, cutOff)
        .catch((err: unknown) => log.warn({ err, webhookId: test.webhookId }, "a test's outcome could not be told"))
        .finally(() => {
          account.tests.add(-1);
          if (account.tests.own === 0) sending.delete(account);
          shard.exchanges.delete(cutOff);
          look({ asked: true });
        });
    }
  }

  function look({ asked } = { asked: false }): void {
    again ||= asked && looking;
    const open = [...shards.values()].filter(isOpen);
    const isDue = asked || performance.now() - lookedAt >= (hears() ? periodMs.hearing : periodMs.deaf);
    if (open.length === 0 || looking || !isDue || accounts.all.tests.held >= accounts.all.tests.limit) return;
    looking = true;
    again = false;
    lookedAt = performance.now();
    take(open)
      .catch((err: unknown) => log.warn({ err }, "tests could not be looked for; it will be tried again"))
      .finally(() => {
        looking = false;
        if (again) look({ asked: true });
      });
  }

  return { look };
}
