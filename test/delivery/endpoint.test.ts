/** An endpoint in memory: its settings, what it takes, and when it may be forgotten. */
import { expect, test } from "vitest";
import { createAccounts } from "../../server/delivery/accounts.ts";
import type { Endpoint } from "../../server/delivery/endpoint/endpoint.ts";
import { day, exchangeOne, notificationOf, openEndpoint, ownedShard, recordOf } from "./endpoint-scene.ts";

const entry = (position: number) => ({ position, recordedOn: day, done: false });
const fromOutbox = ({ webhookId }: Endpoint, sequence: number) =>
  notificationOf(webhookId, sequence, { from: "outbox", entry: entry(sequence) });

const retryOf = (sequence: number) => ({ sequence, trigger: "schedule" as const });

/** How many exchanges it begins at the same time. */
function countBegun(endpoint: Endpoint): number {
  let count = 0;
  for (let sequence = 100; sequence < 120; sequence += 1) endpoint.enqueue(fromOutbox(endpoint, sequence));
  while (endpoint.begin().length > 0) count += 1;
  return count;
}

test("the url is parsed for the dialler and for the request", () => {
  const url = "https://[2001:db8::1]:8443/a%20b?c=d#e";
  expect(openEndpoint({ url }).target).toEqual({
    url,
    origin: "https://[2001:db8::1]:8443",
    path: "/a%20b?c=d",
    hostname: "2001:db8::1",
  });
});

test("an idle endpoint may be forgotten; one with something queued, or with a backlog to read, may not", () => {
  const endpoint = openEndpoint();
  expect(endpoint.isIdle).toBe(true);
  endpoint.enqueue(fromOutbox(endpoint, 1));
  expect(endpoint.isIdle).toBe(false);
  expect(openEndpoint({ backlogFrom: 7 }).isIdle).toBe(false);
  expect(openEndpoint({ backlogFrom: 7, active: false }).isIdle).toBe(true);
});

test("an inactive endpoint starts nothing and keeps nothing in memory", () => {
  const endpoint = openEndpoint();
  endpoint.enqueue(fromOutbox(endpoint, 1));
  endpoint.refresh(recordOf({ active: false }));
  expect(endpoint).toMatchObject({ queued: 0, isFree: false, takesFromOutbox: false });
  expect(endpoint.begin()).toEqual([]);
});

test("an endpoint that is gone starts nothing more, unless its url has changed", () => {
  const [gone, moved] = [openEndpoint(), openEndpoint()];
  for (const endpoint of [gone, moved]) for (const sequence of [1, 2]) endpoint.enqueue(fromOutbox(endpoint, sequence));
  for (const endpoint of [gone, moved]) endpoint.begin();
  moved.refresh(recordOf({ url: "https://example.com/new" }));
  const answer = { status: 410, errorClass: "bad_status", durationMs: 10 } as const;
  expect([gone, moved].map((endpoint) => endpoint.finish(answer, "https://example.com/", []))).toEqual([true, false]);
  expect([gone, moved].map((endpoint) => endpoint.begin()[0]?.sequence)).toEqual([undefined, 2]);
});

test("what waits in memory is counted by account and over all endpoints", () => {
  const accounts = createAccounts();
  const endpoints = [1, 2].map((accountId) => openEndpoint({ accountId }, { accounts }));
  for (const endpoint of endpoints) for (const sequence of [1, 2]) endpoint.enqueue(fromOutbox(endpoint, sequence));
  expect(accounts.all).toMatchObject({ notifications: { used: 4 }, characters: { used: 8 } });
  expect(accounts.of(2)).toMatchObject({ notifications: { own: 2 }, characters: { own: 4 } });
  for (const endpoint of endpoints) endpoint.begin();
  expect(accounts.all).toMatchObject({ notifications: { used: 2 }, characters: { used: 4 } });
  expect(accounts.of(2)).toMatchObject({ notifications: { own: 1 }, characters: { own: 2 } });
  for (const endpoint of endpoints) endpoint.close();
  expect(accounts.all).toMatchObject({ notifications: { used: 0 }, characters: { used: 0 } });
});

test("of batches, too, memory has no more than a second's at the webhook's own rate, or two", () => {
  const batch = { maxItems: 100, maxWaitMs: 0 };
  const taken = (maxPerSecond?: number): number => {
    const endpoint = openEndpoint({ batch, ...(maxPerSecond && { maxPerSecond }) });
    for (let sequence = 1; sequence <= 20; sequence += 1) exchangeOne(endpoint, sequence);
    for (let sequence = 100; endpoint.takesFromOutbox; sequence += 1) endpoint.enqueue(fromOutbox(endpoint, sequence));
    return endpoint.queued;
  };
  expect([taken(1), taken(5), taken(20), taken(1_000), taken()]).toEqual([200, 500, 2_000, 2_000, 2_000]);
  const wanted = (queued: number, maxPerSecond: number): number => {
    const endpoint = openEndpoint({ batch, maxPerSecond });
    endpoint.park();
    for (let sequence = 1; sequence <= queued; sequence += 1) endpoint.enqueue(notificationOf("", sequence));
    endpoint.skip(1_000, entry(1_000));
    return endpoint.backlogWanted(performance.now());
  };
  expect([wanted(99, 1), wanted(100, 1), wanted(100, 2), wanted(200, 2)]).toEqual([200, 0, 200, 0]);
});

test("at a rate of its own, half of what waits in memory may be retries, however many are in flight", () => {
  const shard = ownedShard();
  const endpoint = openEndpoint({ maxPerSecond: 4 }, { shard });
  for (let sequence = 1; sequence <= 20; sequence += 1) exchangeOne(endpoint, sequence);
  const reserved: number[] = [];
  const reserve = (): void => {
    for (const sequence of [101, 102, 103, 104, 105, 106]) {
      if (!endpoint.reserveRetry(retryOf(sequence), 20)) continue;
      reserved.push(sequence);
      endpoint.enqueue(notificationOf(endpoint.webhookId, sequence, { from: "retries" }));
    }
  };
  reserve();
  expect(reserved).toEqual([101, 102]);
  const begun = [...endpoint.begin(), ...endpoint.begin()];
  reserve();
  expect(reserved).toEqual([101, 102, 103, 104]);
  for (const retry of begun) endpoint.settle(retry, undefined);
  shard.retryLooks += 1;
  expect(endpoint.reserveRetry(retryOf(107), 20)).toBe(false);
  endpoint.begin();
  expect(endpoint.reserveRetry(retryOf(107), 20)).toBe(true);
});

test("a webhook activated again, which clears its failure on record, has a fresh start; other changes leave it", () => {
  const [failing, activated] = [openEndpoint({ failing: true }), openEndpoint({ failing: true })];
  failing.refresh(recordOf({ failing: true, url: "https://example.com/new" }));
  expect(failing).toMatchObject({ isFailing: true, target: { url: "https://example.com/new", path: "/new" } });
  expect(countBegun(failing)).toBe(1);
  activated.refresh(recordOf());
  expect(activated.isFailing).toBe(false);
  expect(countBegun(activated)).toBe(2);
});

test("a failure that is not on record yet is not forgotten by a change of settings", () => {
  const endpoint = openEndpoint();
  exchangeOne(endpoint, 1, "bad_status");
  endpoint.refresh(recordOf());
  expect(endpoint.isFailing).toBe(true);
});

test("a parked endpoint's entries in the outbox are done immediately if the record covers them, else later", () => {
  const [covered, uncovered] = [openEndpoint({ backlogFrom: 5 }), openEndpoint()];
  const entries = [entry(5), entry(5)] as const;
  covered.skip(5, entries[0]);
  uncovered.skip(5, entries[1]);
  expect(entries.map(({ done }) => done)).toEqual([true, false]);
  uncovered.beginSave(false)?.confirm();
  expect(entries[1].done).toBe(true);
});

test("a recorded retry is free again in the next read, since the current one may still show it", () => {
  const shard = ownedShard();
  const endpoint = openEndpoint({}, { shard });
  expect([endpoint.reserveRetry(retryOf(7), 20), endpoint.reserveRetry(retryOf(7), 20)]).toEqual([true, false]);
  endpoint.enqueue(notificationOf(endpoint.webhookId, 7, { from: "retries" }));
  const [retry] = endpoint.begin();
  endpoint.finish({ durationMs: 10 }, endpoint.target.url, []);
  shard.retryLooks += 1;
  expect(endpoint.reserveRetry(retryOf(7), 20)).toBe(false);
  if (retry) endpoint.settle(retry, undefined);
  expect(endpoint.reserveRetry(retryOf(7), 20)).toBe(false);
  shard.retryLooks += 1;
  expect(endpoint.reserveRetry(retryOf(7), 20)).toBe(true);
});

test("parking frees reserved retries and voids the page being read", () => {
  const endpoint = openEndpoint({ backlogFrom: 1 });
  endpoint.reserveRetry(retryOf(7), 20);
  endpoint.enqueue(notificationOf(endpoint.webhookId, 7, { from: "retries" }));
  const page = endpoint.openPage(0);
  endpoint.park();
  expect(endpoint.enqueuePage(page, [fromOutbox(endpoint, 1)], { last: 1, isEnd: true })).toBe(false);
  expect(endpoint.queued).toBe(0);
  expect(endpoint.reserveRetry(retryOf(7), 20)).toBe(true);
});
