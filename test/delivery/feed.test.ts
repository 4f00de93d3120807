/** What a round of the feed says is left decides how soon the next one is. */
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createAccounts } from "../../server/delivery/account.ts";
import { holdEndpoints } from "../../server/delivery/endpoints.ts";
import { createFeed } from "../../server/delivery/feed.ts";
import { createRecorder } from "../../server/delivery/recorder.ts";
import { noKeys } from "../../server/store/webhooks/keyring.ts";
import { openOutbox } from "../support/outbox.ts";
import { heldShard } from "./endpoint-scene.ts";

test("a round reports whether it left something for lack of room", async () => {
  const outbox = await openOutbox();
  onTestFinished(outbox.close);
  const { pool } = outbox;
  const webhooks = await Promise.all(Array.from({ length: 150 }, () => outbox.addWebhook("https://example.com/")));
  await pool.query("UPDATE webhooks SET shard = 0");
  const log = pino({ level: "silent" });
  const shard = holdEndpoints(heldShard());
  const feed = createFeed({
    ...{ pool, log, accounts: createAccounts(), shards: new Map([[0, shard]]), keyring: noKeys },
    recorder: createRecorder({ pool, log, onBatch: () => {}, onFenced: () => {} }),
    // Nobody takes what is read.
    sender: { schedule: () => {}, resume: () => {}, resumeRested: () => {} },
  });
  expect(await feed.round()).toBe("nothing");

  await outbox.append(
    webhooks.map((webhook) => ({ ...webhook, shard: 0 })),
    16,
  );
  let left = await feed.round();
  while (left === "more") left = await feed.round();
  expect(left).toBe("full");
});
