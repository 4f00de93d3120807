/** Who waits for room gets it, whatever has become of it meanwhile. */
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createAccounts } from "../../server/delivery/account.ts";
import { type Endpoint, enqueue, openEndpoint } from "../../server/delivery/endpoint.ts";
import type { OnEnd } from "../../server/delivery/exchange.ts";
import type { Recorder } from "../../server/delivery/recorder.ts";
import { createSender } from "../../server/delivery/sender.ts";
import type { Shard } from "../../server/delivery/shard.ts";
import { UnderWay } from "../../server/delivery/under-way.ts";

const accounts = createAccounts();
const lease = { isHeld: () => true, stopping: new AbortController().signal };
const shard = { id: 0, lease, exchanges: new UnderWay() } as unknown as Shard;
const recorder = { add: () => {} } as unknown as Recorder;

/** What is under way with each webhook. */
const underWay = new Map<string, OnEnd[]>();
const sender = createSender({
  post({ webhookId }, _, onEnd) {
    underWay.set(webhookId, [...(underWay.get(webhookId) ?? []), onEnd]);
    return { bytes: 1, abort: () => {} };
  },
  recorder,
  ...{ now: Date.now, onSend: () => {}, onEnd: () => {}, onBacklogWanted: () => {} },
});

let opened = 0;
function open({ failing, tasks, accountId = 1 }: { failing: boolean; tasks: number; accountId?: number }): Endpoint {
  opened += 1;
  const endpoint = openEndpoint(
    {
      ...{ webhookId: String(opened), shard: 0, chainId: "1", url: "https://example.com/", active: true, secrets: [] },
      ...{ failing, backlogFrom: null, accountId },
    },
    accounts.of(accountId),
  );
  for (let sequence = 1; sequence <= tasks; sequence += 1)
    enqueue(endpoint, {
      ...{ recordedOn: "2026-01-01", shard: 0, webhookId: endpoint.webhookId, sequence, messageId: "", eventId: 1 },
      ...{ recordedAtMs: 0, attempts: 0, step: 0, trigger: "schedule", text: "{}", source: { from: "backlog" } },
    });
  return endpoint;
}

const turns = async (count: number) => {
  for (let n = 0; n < count; n += 1) await setImmediate();
};

test("an endpoint that was slow and is quick again waits with the quick", async () => {
  // As many hang as slow ones may take part.
  for (let n = 0; n < 256; n += 1) sender.pump(shard, open({ failing: true, tasks: 1 }));
  await turns(30);
  expect(accounts.all.exchanges.held).toBe(256);

  const endpoint = open({ failing: false, tasks: 5 });
  sender.pump(shard, endpoint);
  const [first, second] = underWay.get(endpoint.webhookId) ?? [];
  first?.({ status: 204, durationMs: 2_000 });
  await turns(3);
  expect(underWay.get(endpoint.webhookId)).toHaveLength(2);

  // It answers quickly at the moment when many others wait.
  for (let n = 0; n < 40; n += 1) sender.pump(shard, open({ failing: false, tasks: 1 }));
  second?.({ status: 204, durationMs: 10 });
  await turns(10);
  expect(underWay.get(endpoint.webhookId)).toHaveLength(5);
});
