/** What is held of an endpoint: its settings, and when it may be forgotten. */
import { expect, test } from "vitest";
import { createAccounts } from "../../server/delivery/account.ts";
import { isIdle, parkFromStream, takeFromStream, takesFromStream } from "../../server/delivery/backlog.ts";
import { firstAttempt, openEndpoint, refreshEndpoint, takeNext } from "../../server/delivery/endpoint.ts";
import type { EndpointRecord } from "../../server/store/delivery/endpoint-states.ts";

const webhookId = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const place = (position: number) => ({ position, recordedOn: "2026-01-01", done: false });
const task = (sequence: number) => {
  const row = { webhookId, sequence, recordedOn: "2026-01-01", shard: 1, messageId: "m", eventId: 1, recordedAtMs: 0 };
  return firstAttempt(row, "{}", { from: "stream", place: place(sequence) });
};
const recordOf = (changes: Partial<EndpointRecord> = {}): EndpointRecord => ({
  ...{ webhookId, accountId: 1, shard: 1, chainId: "1", url: "https://[2001:db8::1]:8443/a%20b?c=d#e", active: true },
  ...{ secrets: [], backlogFrom: null, failing: false, ...changes },
});
const open = (changes: Partial<EndpointRecord> = {}, accounts = createAccounts()) =>
  openEndpoint(recordOf(changes), accounts.of(recordOf(changes).accountId));

test("the url is taken apart for who dials and who asks", () => {
  expect(open().target).toEqual({
    origin: "https://[2001:db8::1]:8443",
    path: "/a%20b?c=d",
    hostname: "2001:db8::1",
  });
});

test("one at rest may be forgotten; one with something in hand, or with a backlog to read, may not", () => {
  const endpoint = open();
  expect(isIdle(endpoint)).toBe(true);
  takeFromStream(endpoint, task(1));
  expect(isIdle(endpoint)).toBe(false);
  expect(isIdle(open({ backlogFrom: 7 }))).toBe(false);
  expect(isIdle(open({ backlogFrom: 7, active: false }))).toBe(true);
});

test("one that is not active is sent nothing and takes nothing into memory", () => {
  const endpoint = open();
  takeFromStream(endpoint, task(1));
  endpoint.active = false;
  expect(takeNext(endpoint)).toBeUndefined();
  expect(takesFromStream(endpoint)).toBe(false);
});

test("what waits in memory is counted by account and over all endpoints", () => {
  const accounts = createAccounts();
  const endpoints = [open({}, accounts), open({ accountId: 2 }, accounts)];
  for (const endpoint of endpoints) for (const sequence of [1, 2]) takeFromStream(endpoint, task(sequence));
  expect(accounts.all).toMatchObject({ tasks: { held: 4 }, characters: { held: 8 } });
  expect(accounts.of(2)).toMatchObject({ tasks: { own: 2 }, characters: { own: 4 } });
  for (const endpoint of endpoints) takeNext(endpoint);
  expect(accounts.all).toMatchObject({ tasks: { held: 2 }, characters: { held: 4 } });
  expect(accounts.of(2)).toMatchObject({ tasks: { own: 1 }, characters: { own: 2 } });
});

test("a webhook set active again, which wipes its failing from the record, has a fresh start; other changes leave it", () => {
  const endpoint = open({ failing: true });
  expect(endpoint.pace.limit).toBe(1);
  refreshEndpoint(endpoint, recordOf({ failing: true, url: "https://example.com/" }));
  expect(endpoint).toMatchObject({ failing: true, url: "https://example.com/", target: { path: "/" } });
  refreshEndpoint(endpoint, recordOf());
  expect(endpoint).toMatchObject({ failing: false, pace: { limit: 2, failures: 0 } });
});

test("a failure that is not on record yet is not forgotten by a change of settings", () => {
  const endpoint = open();
  endpoint.failing = true;
  refreshEndpoint(endpoint, recordOf());
  expect(endpoint.failing).toBe(true);
});

test("the stream's places of a parked endpoint are done at once where the record covers them, else later", () => {
  const [covered, uncovered] = [open({ backlogFrom: 5 }), open()];
  const places = [place(5), place(5)] as const;
  parkFromStream(covered, 5, places[0]);
  parkFromStream(uncovered, 5, places[1]);
  expect(places.map(({ done }) => done)).toEqual([true, false]);
});
