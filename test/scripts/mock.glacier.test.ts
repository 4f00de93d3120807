/** The mock's notifications in Glacier's form, and its shared secret. */
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newWebhook } from "../support/api.ts";
import { assertSchema } from "../support/closed-schema.ts";
import { type Mock, mocks } from "../support/mock.ts";
import { type Delivered, type Receiver, startReceiver } from "../support/receiver.ts";

describe.each(mocks)("%s", (_, startMock) => {
  let mock: Mock;
  let receiver: Receiver;
  beforeEach(async () => {
    [mock, receiver] = await Promise.all([startMock(), startReceiver()]);
  });
  afterEach(async () => {
    await mock.close();
    await receiver.close();
  });

  const sign = (secret: string, { rawBody }: Delivered) =>
    createHmac("sha256", Buffer.from(secret, "hex")).update(rawBody).digest("base64");

  test("a webhook with it gets that form, signed by the shared secret and by the one before; others do not", async () => {
    const create = async (more: object) =>
      (await mock.call("POST", "/v1/webhooks", { body: newWebhook({ url: `${receiver.url}/hooks`, ...more }) })).body
        .id;
    const id = await create({ compatibility: "glacier", includeLogs: true });
    const [first] = (await receiver.waitFor(1)) as [Delivered];
    const { secret } = (await mock.call("GET", "/v1/webhooks:getSharedSecret")).body;
    assertSchema("GlacierNotification", JSON.parse(first.rawBody));
    expect(first.headers["x-signature"]).toBe(sign(secret, first));
    expect(first.headers).not.toHaveProperty("x-signature-previous");

    const rotated = await mock.call("POST", "/v1/shared-secret/rotate");
    expect([rotated.status, rotated.body.previousSecretExpiresAt]).toEqual([201, expect.any(Number)]);
    await mock.call("POST", `/v1/webhooks/${id}/test`);
    const [, second] = (await receiver.waitFor(2)) as [Delivered, Delivered];
    expect(second.headers["x-signature"]).toBe(sign(rotated.body.secret, second));
    expect(second.headers["x-signature-previous"]).toBe(sign(secret, second));

    const [kept] = (await mock.call("GET", `/v1/webhooks/${id}/notifications`)).body.notifications;
    const detail = (await mock.call("GET", `/v1/webhooks/${id}/notifications/${kept.messageId}`)).body;
    expect(JSON.stringify(detail.glacierPayload)).toBe(first.rawBody);
    assertSchema("NotificationDetail", detail);

    await create({});
    const [, , usual] = (await receiver.waitFor(3)) as [Delivered, Delivered, Delivered];
    expect(usual.headers).not.toHaveProperty("x-signature");
    assertSchema("AddressActivityNotification", JSON.parse(usual.rawBody));
  });
});
