/** The contract's example notifications are what the service makes of recorded transactions. */
import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { exampleNotifications } from "../../scripts/maintain/examples.ts";
import { messageIdOf } from "../../server/matching/message-id.ts";
import { assertSchema } from "../support/closed-schema.ts";

const folder = new URL("../../openapi/examples/", import.meta.url);

it("Every example notification is what `npm run generate examples` writes", async () => {
  const written = await exampleNotifications();
  const names = (await readdir(folder)).filter((name) => /^(glacier-)?notifications?\./.test(name));
  expect([...written.keys()].sort()).toEqual(names.sort());
  for (const [name, text] of written) expect(await readFile(new URL(name, folder), "utf8"), name).toBe(text);
});

it("Every example notification matches the closed contract", async () => {
  const schemas: Record<string, string> = {
    ...{ notification: "AddressActivityNotification", notifications: "AddressActivityBatch" },
    "glacier-notification": "GlacierNotification",
  };
  for (const [name, text] of await exampleNotifications())
    assertSchema(schemas[name.split(".")[0] ?? ""] ?? name, JSON.parse(text).value);
});

it("The retraction retracts the transfer", async () => {
  const examples = await exampleNotifications();
  const example = (name: string) => JSON.parse(examples.get(`notification.${name}.json`) ?? "").value;
  const [transfer, retraction] = [example("non-fungible-transfer"), example("retraction")];
  expect(retraction.event.transaction).toEqual(transfer.event.transaction);
  expect(retraction.event.removed).toBe(true);
  expect(retraction.messageId).not.toBe(transfer.messageId);
});

it("The finalized notification follows the first of the same transaction, under another messageId", async () => {
  const { value } = JSON.parse((await exampleNotifications()).get("notification.finalized.json") ?? "");
  const { value: webhook } = JSON.parse(await readFile(new URL("webhook.finality.json", folder), "utf8"));
  expect(webhook).toMatchObject({ id: value.webhookId, finality: "both" });
  expect(value.event).toMatchObject({ finalized: true, confirmations: 64 });
  const { blockHash, txHash: transactionHash } = value.event.transaction;
  const first = messageIdOf({ webhookId: webhook.id, blockHash, transactionHash, occurrence: 0 });
  expect(value.messageId).not.toBe(first);
});
