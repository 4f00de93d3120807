/** Sends the tests that clients ask for: once each, beside the queues, and without a mark on the endpoint's state. */
import type { Logger } from "pino";
import { readEndpoints } from "../store/endpoint-states.ts";
import type { Pool } from "../store/pool.ts";
import { takeTests, type WantedTest, writeTestOutcome } from "../store/test-sends.ts";
import { openEndpoint } from "./endpoint.ts";
import type { Post } from "./post.ts";
import { isOpen, type Shard } from "./shard.ts";

/** How many tests are under way at once; those that find no room in time are told so by the API. */
const inFlightLimit = 32;
const periodMs = 20;

export type Tester = {
  /** Takes what is asked for in the owned shards, and begins to send it. */
  round(): Promise<void>;
};

export function createTester(context: {
  pool: Pool;
  log: Logger;
  shards: ReadonlyMap<number, Shard>;
  post: Post;
}): Tester {
  const { pool, log, shards, post } = context;
  let readAt = 0;
  let inFlight = 0;

  async function send(shard: Shard, test: WantedTest): Promise<void> {
    const { messageId, webhookId, event } = test;
    const [record] = await readEndpoints(pool, [webhookId]);
    if (!record) return;
    const sentAt = performance.now();
    const outcome = await post(openEndpoint(record), { messageId, sequence: 0, text: event }, shard.lease.lost);
    if (!outcome) return;
    await writeTestOutcome(pool, test, {
      ageMs: performance.now() - sentAt,
      durationMs: outcome.durationMs,
      responseStatus: outcome.status ?? null,
      responseBody: outcome.body ?? null,
      errorClass: outcome.errorClass ?? null,
    });
  }

  return {
    async round() {
      const open = [...shards.values()].filter(isOpen);
      if (open.length === 0 || inFlight >= inFlightLimit || performance.now() - readAt < periodMs) return;
      readAt = performance.now();
      const ids = open.map(({ id }) => id);
      for (const test of await takeTests(pool, ids, inFlightLimit - inFlight)) {
        const shard = shards.get(test.shard);
        if (!shard) continue;
        inFlight += 1;
        const done = send(shard, test)
          .catch((err: unknown) => log.warn({ err, webhookId: test.webhookId }, "a test's outcome could not be told"))
          .finally(() => {
            inFlight -= 1;
            shard.exchanges.delete(done);
          });
        shard.exchanges.add(done);
      }
    },
  };
}
