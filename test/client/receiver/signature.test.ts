/** The signature is that of Standard Webhooks, and nothing passes without one that is right. */
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import {
  createExpressReceiver,
  createFetchReceiver,
  createNodeReceiver,
  signNotification,
  verifyNotification,
} from "../../../client/receiver/index.ts";
import { notification } from "../examples.ts";
import { deliver, otherSecret, secret } from "./delivery.ts";

test("the published vector of Standard Webhooks is signed alike", async () => {
  const signature = await signNotification({
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  });
  expect(signature).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("the official library verifies what is signed here", async () => {
  const { body, headers } = await deliver();
  expect(new Webhook(secret).verify(body, headers)).toEqual(notification);
});

test("what the official library signs is verified here", async () => {
  const { body, headers } = await deliver();
  const signature = new Webhook(secret).sign(notification.messageId, new Date(), body);
  const signed = {
    ...headers,
    "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
    "webhook-signature": signature,
  };
  expect(await verifyNotification(body, signed, secret)).toEqual(notification);
});

test("any change of the body, even a space, breaks the signature", async () => {
  const { body, headers } = await deliver();
  for (const spoilt of [`${body} `, body.replace("42", "43"), body.slice(1), ""]) {
    await expect(verifyNotification(spoilt, headers, secret)).rejects.toMatchObject({ code: "invalid_signature" });
  }
});

test("another id, timestamp or signature does not verify", async () => {
  const { body, headers } = await deliver();
  const signature = headers["webhook-signature"];
  const spoilt = [
    { "webhook-id": "0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b11" },
    { "webhook-timestamp": String(Number(headers["webhook-timestamp"]) - 1) },
    { "webhook-timestamp": `0${headers["webhook-timestamp"]}` },
    { "webhook-signature": signature.replace(/,./, (start) => (start === ",A" ? ",B" : ",A")) },
    { "webhook-signature": signature.slice(3) },
    { "webhook-signature": signature.slice(0, -5) },
    { "webhook-signature": "v1," },
    { "webhook-signature": "v1,not base64!" },
    { "webhook-signature": signature.replace("v1,", "v1a,") },
    { "webhook-signature": signature.replace("v1,", "V1,") },
  ];
  for (const change of spoilt) {
    const call = verifyNotification(body, { ...headers, ...change }, secret);
    await expect(call, JSON.stringify(change)).rejects.toMatchObject({ code: "invalid_signature" });
  }
});

test("another secret does not verify, and one of several does", async () => {
  const { body, headers } = await deliver();
  await expect(verifyNotification(body, headers, otherSecret)).rejects.toMatchObject({ code: "invalid_signature" });
  expect(await verifyNotification(body, headers, [otherSecret, secret])).toEqual(notification);
});

test("during a rotation either secret verifies a notification with both signatures", async () => {
  const { body, headers } = await deliver();
  const second = (await deliver(notification, { signWith: otherSecret })).headers["webhook-signature"];
  const both = { ...headers, "webhook-signature": `${second} v1a,c29tZXRoaW5n ${headers["webhook-signature"]}` };
  expect(await verifyNotification(body, both, secret)).toEqual(notification);
  expect(await verifyNotification(body, both, otherSecret)).toEqual(notification);
});

test("a sender cannot make it hash the body any number of times", async () => {
  const { body, headers } = await deliver();
  const wrong = `v1,${btoa("x".repeat(32))} `;
  const late = (count: number) => ({
    ...headers,
    "webhook-signature": wrong.repeat(count) + headers["webhook-signature"],
  });
  expect(await verifyNotification(body, late(7), secret)).toEqual(notification);
  await expect(verifyNotification(body, late(8), secret)).rejects.toMatchObject({ code: "invalid_signature" });
});

test.each([
  ["no prefix", secret.slice(6)],
  ["no base64", "whsec_***"],
  ["nothing", ""],
  ["no key", "whsec_"],
  ["no list", []],
])("a secret with %s is an invalid_secret", async (_, wrong) => {
  const { body, headers } = await deliver();
  await expect(verifyNotification(body, headers, wrong)).rejects.toMatchObject({ code: "invalid_secret" });
});

test("no message repeats a secret", async () => {
  const { body, headers } = await deliver();
  const wrong = verifyNotification(body, headers, "sec_bm90IHRoZSByaWdodCBwcmVmaXg=");
  await expect(wrong).rejects.not.toThrow(/bm90/);
  await expect(verifyNotification(body, headers, otherSecret)).rejects.not.toThrow(/C2FV|MfKQ/);
});

test.each([
  ["", "secret"],
  ["  ", "secret"],
  ["whsec_", "secret"],
  [undefined, "secret"],
  [["whsec_"], "secret[0]"],
  [[secret, ""], "secret[1]"],
  [[secret, undefined], "secret[1]"],
])("the secret %j is said to be empty, and which one it is", (empty, name) => {
  const message = `${name} is empty; it must be whsec_ and base64, as the service returned it.`;
  const options = { secret: empty as string, onNotification: () => {} };
  for (const create of [createNodeReceiver, createExpressReceiver, createFetchReceiver])
    expect(() => create(options)).toThrow(expect.objectContaining({ code: "invalid_secret", message }));
});
