/** Signing secrets that are encrypted: deliveries are signed with them, or wait, and are never signed with anything else. */

import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { verifyNotification } from "../../client/receiver/index.ts";
import { newKey, noKeys, parseKeyring } from "../../server/settings/keyring.ts";
import { readTest, requestTest } from "../../server/store/delivery/test-sends.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { reseal } from "../../server/store/webhooks/secret-keys.ts";
import { rotateSecret } from "../../server/store/webhooks/secrets.ts";
import { eventually } from "../support/eventually.ts";
import { example } from "../support/examples.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";
import { type Delivered, type Receiver, startReceiver } from "../support/receiver.ts";

const { event } = example<{ event: unknown }>("notification.native-transfer");
const keyring = parseKeyring(newKey());
const other = parseKeyring(newKey());
let outbox: Outbox;
let receiver: Receiver;
beforeEach(async () => {
  [outbox, receiver] = await Promise.all([openOutbox(undefined, keyring), startReceiver()]);
});
afterEach(async () => {
  await outbox.close();
  await receiver.close();
});

const append = (webhook: Parameters<Outbox["append"]>[0][number], count: number) =>
  outbox.append([webhook], count, JSON.stringify(event));
const verify = ({ rawBody, headers }: Delivered, secret: Buffer) =>
  verifyNotification(rawBody, headers as Record<string, string>, `whsec_${secret.toString("base64")}`);
const settled = () => new Promise((resolve) => setTimeout(resolve, 300));

test("deliveries are signed with the decrypted secrets, across a rotation", async () => {
  const webhook = await outbox.addWebhook(receiver.url);
  const delivery = outbox.deliver();
  await append(webhook, 1);
  const [first] = await receiver.waitFor(1);
  await verify(first as Delivered, webhook.secret);
  const { secret } = await inTransaction(outbox.pool, (db) => rotateSecret(db, webhook.accountId, webhook.id, keyring));
  await eventually(async () => {
    await append(webhook, 1);
    await verify(receiver.deliveries.at(-1) as Delivered, secret);
  });
  await verify(receiver.deliveries.at(-1) as Delivered, webhook.secret);
  await delivery.stop();
});

test("without the key nothing is sent or lost, and the log reports it; once its key is used, everything is sent", async () => {
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  const [webhook, plain] = [await outbox.addWebhook(receiver.url), await outbox.addWebhook(receiver.url)];
  await reseal(outbox.pool, keyring, noKeys);
  await inTransaction(outbox.pool, (db) => rotateSecret(db, webhook.accountId, webhook.id, keyring));
  outbox.deliver({ keyring: other, log });
  await append(plain, 2);
  await append(webhook, 3);
  await receiver.waitFor(2);
  await eventually(() => expect(lines.length).toBeGreaterThan(0));
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    msg: expect.stringContaining("secrets of webhooks cannot be read"),
    waiting: 1,
    webhookIds: [webhook.id],
    err: { message: expect.stringContaining(`under the key ${keyring.keyIds[0]}, which SECRET_KEY does not contain`) },
  });
  const messageId = await requestTest(outbox.pool, webhook.id, JSON.stringify(event));
  await expect.poll(() => readTest(outbox.pool, messageId ?? "")).toBe("taken");
  await settled();
  expect(receiver.deliveries.map(({ notification }) => notification.webhookId)).toEqual([plain.id, plain.id]);
  expect(await outbox.attempts(webhook)).toEqual([]);
  // The operator brings everything under the key that this process has.
  await reseal(outbox.pool, keyring, other);
  const came = await receiver.waitFor(3, ({ notification }) => notification.webhookId === webhook.id);
  expect(came.map(({ sequence }) => sequence).sort()).toEqual([1, 2, 3]);
});

test("a rotation replaces a lost secret, and needs only the new key", async () => {
  const webhook = await outbox.addWebhook(receiver.url);
  await append(webhook, 2);
  outbox.deliver({ keyring: other });
  await settled();
  expect(receiver.deliveries).toEqual([]);
  const { secret } = await inTransaction(outbox.pool, (db) => rotateSecret(db, webhook.accountId, webhook.id, other));
  for (const delivered of await receiver.waitFor(2)) await verify(delivered, secret);
});
