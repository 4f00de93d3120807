/** The contract's example notifications are what the service makes of recorded transactions. */
import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { exampleNotifications } from "../../scripts/maintain/examples.ts";
import { assertSchema } from "../support/closed-schema.ts";

const folder = new URL("../../openapi/examples/", import.meta.url);

it("Every example notification is what `npm run examples` writes", async () => {
  const written = await exampleNotifications();
  const names = (await readdir(folder)).filter((name) => name.startsWith("notification."));
  expect([...written.keys()].sort()).toEqual(names.sort());
  for (const [name, text] of written) expect(await readFile(new URL(name, folder), "utf8"), name).toBe(text);
});

it("Every example notification matches the closed contract", async () => {
  for (const text of (await exampleNotifications()).values())
    assertSchema("AddressActivityNotification", JSON.parse(text).value);
});

it("The retraction retracts the transfer", async () => {
  const examples = await exampleNotifications();
  const example = (name: string) => JSON.parse(examples.get(`notification.${name}.json`) ?? "").value;
  const [transfer, retraction] = [example("non-fungible-transfer"), example("retraction")];
  expect(retraction.event.transaction).toEqual(transfer.event.transaction);
  expect(retraction.event.removed).toBe(true);
  expect(retraction.messageId).not.toBe(transfer.messageId);
});
