/** Signatures: as the published vector has them, and as the official library takes them. */
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { signingKey } from "../../server/delivery/endpoint/endpoint.ts";
import { signedValues } from "../../server/delivery/send/headers.ts";
import { sentHeaders } from "../support/sent-headers.ts";

const messageId = "msg_p5jXN8AQM9LWM0D4loKWxJek";

test("the published example comes out", () => {
  const secret = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
  const body = Buffer.from('{"test": 2432232314}');
  expect(signedValues(messageId, body, [signingKey(secret, null)], 1_614_265_330_999)).toEqual({
    id: messageId,
    timestamp: "1614265330",
    signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("the official library verifies each of several signatures, over bytes beyond ASCII too", () => {
  const secrets = [randomBytes(32), randomBytes(32)];
  const keys = secrets.map((secret) => signingKey(secret, null));
  const body = Buffer.from(JSON.stringify({ text: "żółć 🦊" }));
  const headers = sentHeaders(signedValues(messageId, body, keys, Date.now()));
  for (const secret of secrets)
    expect(new Webhook(secret.toString("base64")).verify(body, headers)).toEqual({ text: "żółć 🦊" });
  expect(() => new Webhook(randomBytes(32).toString("base64")).verify(body, headers)).toThrow();
});

test("a secret signs until it expires, and not at that moment any more", () => {
  const keys = [signingKey(randomBytes(32), null), signingKey(randomBytes(32), 1_000)];
  const signatures = (nowMs: number) =>
    signedValues(messageId, Buffer.from("x"), keys, nowMs).signature.split(" ").length;
  expect([signatures(999), signatures(1_000)]).toEqual([2, 1]);
});
