/** An endpoint that waits for room gets it, even if its speed changes meanwhile. */
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createAccounts } from "../../server/delivery/accounts.ts";
import type { Endpoint } from "../../server/delivery/endpoint/endpoint.ts";
import type { OnEnd } from "../../server/delivery/send/exchange.ts";
import { Sender } from "../../server/delivery/send/sender.ts";
import { notificationOf, openEndpoint, ownedShard } from "./endpoint-scene.ts";

const accounts = createAccounts();
const shard = ownedShard();

/** Exchanges by webhook. */
const begun = new Map<string, OnEnd[]>();
const sender = new Sender({
  post({ webhookId }, _, onEnd) {
    begun.set(webhookId, [...(begun.get(webhookId) ?? []), onEnd]);
    return { bytes: 1, abort: () => {} };
  },
  ...{
    record: () => {},
    now: Date.now,
    pausesMs: [],
    onBegin: () => {},
    onOutcome: () => {},
    onParked: () => {},
    onBacklogWanted: () => {},
  },
});

let opened = 0;
function open({ failing, count, accountId = 1 }: { failing: boolean; count: number; accountId?: number }): Endpoint {
  opened += 1;
  const endpoint = openEndpoint({ webhookId: String(opened), failing, accountId }, { shard, accounts });
  for (let sequence = 1; sequence <= count; sequence += 1)
    endpoint.enqueue(notificationOf(endpoint.webhookId, sequence));
  return endpoint;
}

const passes = async (count: number) => {
  for (let n = 0; n < count; n += 1) await setImmediate();
};

test("an endpoint that was slow and is quick again waits with the quick", async () => {
  // As many hang as slow ones may take part.
  for (let n = 0; n < 256; n += 1) sender.schedule(open({ failing: true, count: 1 }));
  await passes(30);
  expect(accounts.all.exchanges.used).toBe(256);

  const endpoint = open({ failing: false, count: 5 });
  sender.schedule(endpoint);
  const [first, second] = begun.get(endpoint.webhookId) ?? [];
  first?.({ status: 204, durationMs: 2_000 });
  await passes(3);
  expect(begun.get(endpoint.webhookId)).toHaveLength(2);

  // It answers quickly at the moment when many others wait.
  for (let n = 0; n < 40; n += 1) sender.schedule(open({ failing: false, count: 1 }));
  second?.({ status: 204, durationMs: 10 });
  await passes(10);
  expect(begun.get(endpoint.webhookId)).toHaveLength(5);
});
