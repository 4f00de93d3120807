/** `notify` and the fixtures: what a test of a receiver sends, to whatever kind of endpoint. */
import express from "express";
import { expect, test, vi } from "vitest";
import {
  byKind,
  createExpressReceiver,
  createFetchReceiver,
  createNodeReceiver,
  type ReceiverOptions,
} from "../../client/receiver/index.ts";
import { fixtures, type NotifyTarget, notify, signed, testSecret } from "../../client/testing.ts";
import { loadScenarios } from "../../scripts/command/notifications/scenarios.ts";
import { exampleSecret } from "../../scripts/command/notifications/secret.ts";
import { listen } from "./http-server.ts";

const targets: Record<string, (options: ReceiverOptions) => NotifyTarget | Promise<NotifyTarget>> = {
  "a function from Request to Response": createFetchReceiver,
  "an object with fetch": (options) => ({ fetch: createFetchReceiver(options) }),
  "a handler of node:http": createNodeReceiver,
  "an Express app": (options) => express().post("/hooks", createExpressReceiver(options)),
  "a URL": (options) => listen(createNodeReceiver(options)),
};

async function endpoint(makeTarget: (typeof targets)[string], options: Partial<ReceiverOptions> = {}) {
  const onNotification = vi.fn<ReceiverOptions["onNotification"]>();
  return { onNotification, target: await makeTarget({ secret: testSecret, onNotification, ...options }) };
}

test.each(Object.entries(targets))("%s gets every kind, and refuses what is spoiled", async (_, makeTarget) => {
  const { target, onNotification } = await endpoint(makeTarget);
  for (const [name, fixture] of Object.entries(fixtures)) {
    expect((await notify(target, name as keyof typeof fixtures, { sequence: 7 })).status).toBe(204);
    expect(onNotification.mock.lastCall).toEqual([fixture, { sequence: 7, attemptAt: expect.any(Date) }]);
  }
  onNotification.mockClear();
  for (const [fault, code] of [
    ["tampered", "invalid_signature"],
    ["forged", "invalid_signature"],
    ["stale", "timestamp_too_old"],
  ] as const) {
    const answer = await notify(target, "native-transfer", { fault });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code }]);
  }
  expect((await notify(target, "native-transfer", { secret: "whsec_b3RoZXI=" })).status).toBe(400);
  expect(onNotification).not.toHaveBeenCalled();
});

test("a list is sent as a batch, and a notification that the test made keeps its id", async () => {
  const { target, onNotification } = await endpoint(createFetchReceiver);
  const own = { ...fixtures["native-transfer"], messageId: "00000000-0000-4000-8000-000000000000" };
  expect((await notify(target, [own, fixtures.retraction])).status).toBe(204);
  expect(onNotification.mock.calls.map(([{ messageId }, { sequence }]) => [messageId, sequence])).toEqual([
    [own.messageId, 1],
    [fixtures.retraction.messageId, 2],
  ]);
  expect((await signed(own)).headers["webhook-id"]).toBe(own.messageId);
});

test("it goes to the path that is asked for", async () => {
  const app = express().post("/other", createExpressReceiver({ secret: testSecret, onNotification: () => undefined }));
  expect((await notify(app, "native-transfer")).status).toBe(404);
  expect((await notify(app, "native-transfer", { path: "/other" })).status).toBe(204);
});

test("what a bare handler throws comes out, in place of no answer", async () => {
  const broken = (_request: unknown, _response: unknown) => Promise.reject(new Error("broken"));
  await expect(notify(broken, "native-transfer")).rejects.toThrow("broken");
});

test("a Fetch handler with a second parameter is refused with what to pass instead", async () => {
  const worker = async (_request: Request, _env: unknown) => new Response(null, { status: 204 });
  await expect(notify(worker, "native-transfer")).rejects.toThrow("pass (request) => handler(request, …)");
});

test("an unknown example is named, with those that there are", async () => {
  const wanted = "transfer" as "native-transfer";
  await expect(notify(createFetchReceiver({ secret: testSecret, onNotification: byKind({}) }), wanted)).rejects.toThrow(
    /no example transfer; there are non-fungible-transfer, .*retraction/,
  );
});

test("the fixtures are all of the contract's notifications, of every kind, and the secret is that of the mock", async () => {
  const scenarios = await loadScenarios();
  expect(fixtures).toEqual(Object.fromEntries(scenarios.map(({ name, notification }) => [name, notification])));
  expect(testSecret).toBe(exampleSecret);
  const events = Object.values(fixtures).map(({ event }) => event);
  const has = (holds: (event: (typeof events)[number]) => unknown) => expect(events.some(holds)).toBe(true);
  has(({ removed }) => removed);
  has(({ finalized }) => finalized);
  has(({ logs }) => logs?.some(({ decoded }) => decoded));
  has(({ transaction }) => transaction.txStatus === "0");
  has(({ transaction }) => transaction.internalTransactions?.length);
  has(({ transaction }) => transaction.contractAddress !== `0x${"0".repeat(40)}`);
  for (const list of ["erc20Transfers", "nativeTransfers"] as const)
    has(({ transaction }) => transaction[list]?.length);
});
