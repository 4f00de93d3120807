/** What a stranger writes who also installs the optional peers. `peers.test.ts` type-checks it and runs it, against the installed packages. */
import assert from "node:assert/strict";
import transfer from "chain-webhooks/examples/notification.fungible-transfer.json" with { type: "json" };
import { withBigInts } from "chain-webhooks/receiver";
import type { components } from "chain-webhooks/types";
import { AddressActivityNotification, WebhookCreate } from "chain-webhooks/zod";

type Schemas = components["schemas"];

const notification: Schemas["AddressActivityNotification"] = AddressActivityNotification.parse(transfer.value);
assert.deepEqual(notification, transfer.value);
const { value } = AddressActivityNotification.transform(withBigInts).parse(transfer.value).event.transaction;
assert.equal(value, BigInt(transfer.value.event.transaction.value));

const form = WebhookCreate.pick({ url: true, chainId: true });
assert.equal(form.safeParse({ url: "https://example.com/", chainId: "43114" }).success, true);
const refused = form.safeParse({ url: "ftp://example.com/", chainId: 43114 });
assert.deepEqual(refused.error?.issues.map(({ path }) => path.join(".")).sort(), ["chainId", "url"]);
console.log("the optional peers work");
