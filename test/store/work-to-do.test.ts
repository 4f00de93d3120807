/** Those who wait for work on the chains share one read of what there is. */
import { expect, onTestFinished, test, vi } from "vitest";
import { untilTick } from "../../server/base/pause.ts";
import { hasLane, hasReplays } from "../../server/store/chains/work-to-do.ts";
import { openOutbox, outboxChainId } from "../support/outbox.ts";

test("lanes and replays are found by one read for all who ask at the same time, and a failed one is tried again", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const { pool } = outbox;
  await outbox.addWebhook("https://example.com/");
  const chainId = outboxChainId;
  const queries = vi.spyOn(pool, "query");
  const ask = (freshMs: number) =>
    Promise.all([
      hasLane(pool, chainId, { traces: false, catchesUp: false }, freshMs),
      hasLane(pool, chainId, { traces: true, catchesUp: false }, freshMs),
      hasReplays(pool, chainId, freshMs),
      hasReplays(pool, "another", freshMs),
    ]);
  queries.mockRejectedValueOnce(new Error("away") as never);
  await expect(ask(60_000)).rejects.toThrow("away");
  queries.mockClear();
  expect(await ask(60_000)).toEqual([true, false, false, false]);
  expect(queries).toHaveBeenCalledTimes(1);

  await pool.query("INSERT INTO chain_lanes (chain_id, traces) VALUES ($1, true)", [chainId]);
  await pool.query(
    `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block)
     SELECT gen_random_uuid(), account_id, id, chain_id, 1, 1, 1 FROM webhooks`,
  );
  expect(await ask(60_000)).toEqual([true, false, false, false]);
  expect(await ask(-1)).toEqual([true, true, true, false]);
});

test("all who wait for the same period wake at the same tick", () => {
  for (const now of [0, 1, 499.6, 999.9, 123_456.7]) {
    const clock = vi.spyOn(performance, "now").mockReturnValue(now);
    const wokenAt = now + untilTick(500);
    expect(wokenAt % 500).toBeLessThanOrEqual(2);
    expect(wokenAt - now).toBeGreaterThanOrEqual(1);
    expect(wokenAt - now).toBeLessThanOrEqual(502);
    clock.mockRestore();
  }
});
