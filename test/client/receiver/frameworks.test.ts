/** What the receivers of frameworks do that needs none of these. `npm run test:more receivers` runs them in the real ones. */
import { expect, test, vi } from "vitest";
import {
  createFetchReceiver,
  createLambdaReceiver,
  createNodeReceiver,
  type NotificationError,
  type ReceiverOptions,
} from "../../../client/receiver/index.ts";
import { notification } from "../examples.ts";
import { listen } from "../http-server.ts";
import { deliver, otherSecret, secret } from "./delivery.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

function lambda(options: Partial<ReceiverOptions> = {}) {
  const onNotification = vi.fn<ReceiverOptions["onNotification"]>();
  return { onNotification, handler: createLambdaReceiver({ secret, onNotification, ...options }) };
}

type Sent = Awaited<ReturnType<typeof deliver>>;
const asList = (headers: Sent["headers"]) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [String(value)]]));
const http = { requestContext: { http: { method: "POST", path: "/hooks" } } };

/** By AWS's documents: the event of each thing that calls a function, as text and in base64. */
const events: [string, (sent: Sent) => Parameters<ReturnType<typeof lambda>["handler"]>[0]][] = [
  ["a function URL", ({ headers, body }) => ({ ...http, headers, body, isBase64Encoded: false })],
  ["payload 2.0 in base64", ({ headers, body }) => ({ ...http, headers, body: base64(body), isBase64Encoded: true })],
  [
    "payload 1.0",
    ({ headers, body }) => ({
      httpMethod: "POST",
      headers,
      multiValueHeaders: asList(headers),
      body,
      isBase64Encoded: false,
    }),
  ],
  [
    "a load balancer, with lists as headers",
    ({ headers, body }) => ({
      ...{ httpMethod: "POST", headers: null, multiValueHeaders: asList(headers) },
      ...{ body: base64(body), isBase64Encoded: true },
    }),
  ],
];

test.each(events)("behind %s a function receives what is good, and refuses what is not", async (_, eventOf) => {
  const { handler, onNotification } = lambda();
  const good = await deliver();
  expect(await handler(eventOf(good))).toEqual({ statusCode: 204, headers: {}, body: "" });
  expect(onNotification.mock.calls).toEqual([[notification, { sequence: 42, attemptAt: expect.any(Date) }]]);
  const stale = await deliver(notification, { timestamp: 1_700_000_000 });
  for (const [bad, code] of [
    [{ ...good, body: `${good.body} ` }, "invalid_signature"],
    [stale, "timestamp_too_old"],
    [await deliver(notification, { signWith: otherSecret }), "invalid_signature"],
  ] as const) {
    const answer = await handler(eventOf(bad));
    expect([answer.statusCode, JSON.parse(answer.body)]).toMatchObject([400, { code }]);
  }
  expect(onNotification).toHaveBeenCalledTimes(1);
});

test("a function answers 405, 413, and 400 to an event without a body or with one that is no base64", async () => {
  const { headers, body } = await deliver();
  const { handler } = lambda();
  expect(await handler({ ...http, requestContext: { http: { method: "GET" } } })).toMatchObject({ statusCode: 405 });
  expect(await handler({})).toMatchObject({ statusCode: 405 });
  expect(await handler({ ...http, headers, body: null })).toMatchObject({ statusCode: 400 });
  expect(await handler({ ...http, headers, body: "{}", isBase64Encoded: true })).toMatchObject({ statusCode: 400 });
  const { handler: small } = lambda({ maxBodyBytes: 1_000 });
  expect(await small({ ...http, headers, body })).toMatchObject({ statusCode: 413 });
});

test("a secret that a function returns is read at each notification", async () => {
  let current: string | readonly string[] | undefined = otherSecret;
  const onError = vi.fn<(error: unknown) => unknown>();
  const receive = createFetchReceiver({ secret: async () => current, onNotification: () => undefined, onError });
  const send = async () =>
    (await receive(new Request("https://receiver.test/", { method: "POST", ...(await deliver()) }))).status;
  expect(await send()).toBe(400);
  current = [otherSecret, secret];
  expect(await send()).toBe(204);
  expect(onError).not.toHaveBeenCalled();
  // Nobody may be let in by a variable that is not set, and the sender must try again.
  for (const missing of [undefined, "", "whsec_"]) {
    current = missing;
    expect(await send()).toBe(500);
    expect(onError.mock.lastCall?.[0]).toMatchObject({ code: "invalid_secret" } satisfies Partial<NotificationError>);
  }
});

test("a function that fails to return the secret is answered 500, and is only called for what may be a notification", async () => {
  const failure = new Error("vault away");
  const onError = vi.fn<(error: unknown) => unknown>();
  const secret = vi.fn(() => Promise.reject(failure));
  const url = await listen(createNodeReceiver({ secret, onNotification: () => undefined, onError }));
  expect((await fetch(url)).status).toBe(405);
  // Nor for what anybody can send: no signature, or an old one.
  const { headers, body } = await deliver();
  expect((await fetch(url, { method: "POST", body })).status).toBe(400);
  const old = { ...headers, "webhook-timestamp": "1" };
  expect((await fetch(url, { method: "POST", headers: old, body })).status).toBe(400);
  expect(secret).not.toHaveBeenCalled();
  expect((await fetch(url, { method: "POST", ...(await deliver()) })).status).toBe(500);
  expect(onError.mock.calls).toEqual([[failure]]);
});
