/** Processes that report to accounts are killed at any moment: each event is reported once, in one sequence without gaps. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openScene } from "../delivery/nothing-lost/scene.ts";
import { eventually } from "../support/eventually.ts";
import { outboxChainId } from "../support/outbox.ts";
import { operationalScene } from "./scene.ts";

test("of many accounts each is notified once of every replay that ended, and every event arrives", async () => {
  const { outbox, receiver, startSender } = await openScene(0);
  const { pool } = outbox;
  const { register, reported } = operationalScene(outbox);
  const accounts = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const accountId = await outbox.addAccount();
      await register(accountId, `${receiver.url}/${accountId}`);
      return { accountId, webhook: await outbox.addWebhook(`${receiver.url}/activity`, undefined, accountId) };
    }),
  );
  const ended = new Map(accounts.map(({ accountId }) => [accountId, [] as string[]]));
  const endSome = async () => {
    for (const { accountId, webhook } of accounts) {
      const id = randomUUID();
      ended.get(accountId)?.push(`replay:${id}`);
      await pool.query(
        `INSERT INTO replays (id, account_id, webhook_id, chain_id, from_block, to_block, next_block, status, finished_at)
         VALUES ($1, $2, $3, $4, 1, 1, 2, 'done', clock_timestamp())`,
        [id, accountId, webhook.id, outboxChainId],
      );
    }
  };
  /** Whether somebody compares, or has recorded what is not committed yet. */
  const isTelling = async () => {
    const { rowCount } = await pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND query LIKE '%operational%'",
    );
    return rowCount !== 0;
  };
  for (let round = 0; round < 6; round += 1) {
    const processes = [await startSender(), await startSender()];
    await endSome();
    while (!(await isTelling())) await sleep(1);
    // Earlier or later in the transaction, or after it.
    await sleep(4 * round);
    for (const process of processes) process.signal("SIGKILL");
    await Promise.all(processes.map(({ ended }) => ended));
  }
  await startSender();
  const all = [...ended.values()].flat();
  await eventually(async () => {
    for (const { accountId } of accounts)
      expect((await reported(accountId)).map(({ subject }) => subject).sort()).toEqual(ended.get(accountId)?.sort());
  });
  const { rows } = await pool.query(
    "SELECT bool_and(last_sequence = (SELECT count(*) FROM notifications n WHERE n.webhook_id = s.webhook_id)) AS dense FROM webhook_sequences s",
  );
  expect(rows).toEqual([{ dense: true }]);
  await eventually(() => {
    const arrived = receiver.deliveries
      .filter(({ answered }) => answered === 204)
      .map(({ rawBody }) => JSON.parse(rawBody).subject);
    expect(new Set(arrived)).toEqual(new Set(all));
  });
});
