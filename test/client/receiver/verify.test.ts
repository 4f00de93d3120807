/** A notification is believed only if its headers, its age and its shape are right. */
import { expect, expectTypeOf, test } from "vitest";
import { type AddressActivityNotification, verifyNotification } from "../../../client/receiver/index.ts";
import type { components } from "../../../generated/types.ts";
import { notification } from "../examples.ts";
import { deliver, secret } from "./delivery.ts";

test("resolves with the contract's type", () => {
  expectTypeOf(verifyNotification).returns.resolves.toEqualTypeOf<
    components["schemas"]["AddressActivityNotification"]
  >();
  expectTypeOf<AddressActivityNotification["event"]["transaction"]["value"]>().toEqualTypeOf<string>();
});

test("the body may be text, bytes, a part of a larger buffer, or an ArrayBuffer", async () => {
  const { body, headers } = await deliver({ ...notification, note: "größer als ASCII 🦊" });
  const bytes = new TextEncoder().encode(body);
  const larger = new Uint8Array(bytes.length + 20);
  larger.set(bytes, 7);
  for (const raw of [body, bytes, Buffer.from(body), larger.subarray(7, 7 + bytes.length), bytes.buffer]) {
    expect(await verifyNotification(raw, headers, secret)).toMatchObject({ messageId: notification.messageId });
  }
});

test("the headers may be a Headers, or an object in any letter case, with lists as values", async () => {
  const { body, headers } = await deliver();
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  for (const form of [new Headers(headers), upper, lists, { ...headers, other: undefined }]) {
    expect(await verifyNotification(body, form, secret)).toEqual(notification);
  }
});

test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("without %s it is refused", async (name) => {
  const { body, headers } = await deliver();
  const refusal = { code: "missing_header", message: `The header ${name} is missing.` };
  await expect(verifyNotification(body, { ...headers, [name]: undefined }, secret)).rejects.toMatchObject(refusal);
  await expect(verifyNotification(body, { ...headers, [name]: "" }, secret)).rejects.toMatchObject(refusal);
});

test("the timestamp may be 300 s off either way, or as far as the caller allows", async () => {
  const timestamp = 1767225600;
  const { body, headers } = await deliver(notification, { timestamp });
  const at = (offSeconds: number, toleranceSeconds?: number) =>
    verifyNotification(body, headers, secret, {
      now: new Date((timestamp + offSeconds) * 1000),
      ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
    });
  for (const off of [0, 300, -300]) expect(await at(off)).toEqual(notification);
  await expect(at(301)).rejects.toMatchObject({ code: "timestamp_too_old" });
  await expect(at(-301)).rejects.toMatchObject({ code: "timestamp_too_new" });
  expect(await at(3600, 3600)).toEqual(notification);
  await expect(at(0, Number.NaN)).rejects.toMatchObject({ code: "timestamp_too_old" });
});

test("`now` may be in milliseconds", async () => {
  const { body, headers } = await deliver(notification, { timestamp: 1767225600 });
  expect(await verifyNotification(body, headers, secret, { now: 1767225600_999 })).toEqual(notification);
});

test.each(["soon", "-5", "1e9", "1767225600.5", "9".repeat(20)])("the timestamp %j is refused", async (timestamp) => {
  const { body, headers } = await deliver();
  const call = verifyNotification(body, { ...headers, "webhook-timestamp": timestamp }, secret);
  await expect(call).rejects.toMatchObject({ code: "invalid_timestamp" });
});

test("an added field passes, wherever it is", async () => {
  const { event } = notification;
  const grown = {
    ...notification,
    priority: 1,
    event: { ...event, kind: "x", transaction: { ...event.transaction, blobGasUsed: "0" } },
  };
  const { body, headers } = await deliver(grown);
  expect(await verifyNotification(body, headers, secret)).toEqual(grown);
});

const { event, ...withoutEvent } = notification;
test.each([
  ["a missing field", withoutEvent, "The body must have required property 'event'."],
  ["a wrong type", { ...notification, event: [] }, "The body.event must be object."],
  [
    "a wrong value",
    { ...notification, event: { ...event, transaction: { ...event.transaction, value: "0x1" } } },
    'The body.event.transaction.value must match pattern "^(0|[1-9][0-9]*)$".',
  ],
  ["null", null, "The body must be object."],
  ["what is not JSON", "{", "The body is not JSON in UTF-8."],
])("a signed body with %s is an invalid_body", async (_, payload, message) => {
  const { body, headers } = await deliver(payload);
  await expect(verifyNotification(body, headers, secret)).rejects.toMatchObject({ code: "invalid_body", message });
});

test("a body that was parsed already is refused with a clear sentence", async () => {
  const { headers } = await deliver();
  const call = verifyNotification(notification as unknown as string, headers, secret);
  await expect(call).rejects.toThrow("The body must be given raw, as text or bytes, not parsed.");
});

test("a messageId that is not the webhook-id is refused, though signed", async () => {
  const { body, headers } = await deliver(notification, { id: "0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b11" });
  await expect(verifyNotification(body, headers, secret)).rejects.toMatchObject({ code: "message_id_mismatch" });
});
