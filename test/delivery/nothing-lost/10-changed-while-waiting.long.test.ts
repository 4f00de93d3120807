/** A webhook is changed while retries of it wait: what each change means for them. */

import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { noKeys } from "../../../server/settings/keyring.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { deleteWebhook, updateWebhook } from "../../../server/store/webhooks/changes.ts";
import { removePart } from "../../../server/store/webhooks/removed-webhooks.ts";
import { rotateSecret } from "../../../server/store/webhooks/secrets.ts";
import { eventually } from "../../support/eventually.ts";
import type { OutboxWebhook } from "../../support/outbox.ts";
import type { Delivered } from "../../support/receiver.ts";
import { openScene, type Scene } from "./scene.ts";

type Waiting = Scene & {
  webhook: OutboxWebhook;
  change(to: Parameters<typeof updateWebhook>[3]): Promise<unknown>;
  /** Lets the retries be due. @returns how many there are */
  makeDue(): Promise<number | null>;
  /** Waits until a delivery process has seen everything that was committed before. */
  looked(): Promise<void>;
};

/** Three notifications that were refused once and wait to be sent again, to an endpoint that would take them now. */
async function refusedOnce(): Promise<Waiting> {
  const scene = await openScene(2);
  const { outbox, receiver } = scene;
  const [webhook, witness] = scene.webhooks;
  if (!webhook || !witness) throw new Error("no webhooks");
  receiver.answer = (_, response) => response.writeHead(500).end();
  outbox.deliver();
  await outbox.append([webhook], 3);
  await eventually(async () => expect((await outbox.pool.query("SELECT FROM retries")).rowCount).toBe(3));
  receiver.answer = (_, response) => response.writeHead(204).end();
  let witnessed = 0;
  return {
    ...scene,
    webhook,
    change: (to) => inTransaction(outbox.pool, (db) => updateWebhook(db, webhook.accountId, webhook.id, to)),
    makeDue: async () => (await outbox.pool.query("UPDATE retries SET due_at = now()")).rowCount,
    async looked() {
      for (let round = 1; round <= 3; round += 1) {
        await outbox.append([witness]);
        witnessed += 1;
        await receiver.waitFor(1, ({ path, sequence }) => path === "/1" && sequence === witnessed);
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    },
  };
}

const ofWebhook = ({ receiver, webhook }: Waiting) =>
  receiver.deliveries.filter(({ notification }) => notification.webhookId === webhook.id);
const isSignedBy = ({ rawBody, headers }: Delivered, secret: Buffer) => {
  try {
    return Boolean(new Webhook(secret.toString("base64")).verify(rawBody, headers as Record<string, string>));
  } catch {
    return false;
  }
};

test("secret rotated: they are signed with the new one and, for a day, the old one", async () => {
  const waiting = await refusedOnce();
  const { outbox, webhook, makeDue, looked, allDelivered } = waiting;
  const { secret } = await inTransaction(outbox.pool, (db) => rotateSecret(db, webhook.accountId, webhook.id, noKeys));
  await looked();
  await makeDue();
  await allDelivered();
  const again = ofWebhook(waiting).slice(3);
  expect(again.map((delivered) => [isSignedBy(delivered, secret), isSignedBy(delivered, webhook.secret)])).toEqual(
    Array.from({ length: 3 }, () => [true, true]),
  );
});

test("url changed: they go to the new one, under the same messageIds", async () => {
  const waiting = await refusedOnce();
  const { receiver, change, makeDue, looked, allDelivered } = waiting;
  await change({ url: `${receiver.url}/moved` });
  await looked();
  await makeDue();
  await allDelivered();
  const all = ofWebhook(waiting);
  expect(all.slice(3).map(({ path }) => path)).toEqual(["/moved", "/moved", "/moved"]);
  expect(new Set(all.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
});

test("paused: they wait, pending, with what comes meanwhile; resumed: all of it is sent", async () => {
  const waiting = await refusedOnce();
  const { outbox, webhook, change, makeDue, looked, ledger, allDelivered } = waiting;
  await change({ status: "inactive" });
  await looked();
  expect(await makeDue()).toBe(3);
  await outbox.append([webhook], 2);
  await looked();
  expect(ofWebhook(waiting).length).toBe(3);
  expect((await ledger()).pending.size).toBe(5);
  await change({ status: "active" });
  await allDelivered();
  expect(ofWebhook(waiting).length).toBe(8);
});

test("deleted: they are gone with it", async () => {
  const waiting = await refusedOnce();
  const { outbox, webhook, makeDue, looked, ledger } = waiting;
  await inTransaction(outbox.pool, (db) => deleteWebhook(db, webhook.accountId, webhook.id));
  await looked();
  await makeDue();
  await looked();
  expect(ofWebhook(waiting).length).toBe(3);
  while (await removePart(outbox.pool));
  expect(await makeDue()).toBe(0);
  // The witness's, of both times.
  expect((await ledger()).recorded.size).toBe(6);
});
