/** How accounts share the exchanges of a process: the sender with endpoints that end when the test says so. */
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createAccounts } from "../../server/delivery/accounts.ts";
import type { Endpoint } from "../../server/delivery/endpoint/endpoint.ts";
import type { OnEnd } from "../../server/delivery/send/exchange.ts";
import { Sender } from "../../server/delivery/send/sender.ts";
import { exchangeOne, notificationOf, openEndpoint, ownedShard } from "./endpoint-scene.ts";

type Kind = "quick" | "new" | "slow";

/** @param bytes of each body @param textOf the event of an account's notifications */
function openWorld(bytes = 1, textOf: (accountId: number) => string = () => "{}") {
  const accounts = createAccounts();
  const shard = ownedShard();
  const begun: { accountId: number; end: OnEnd }[] = [];
  const sender = new Sender({
    post({ webhookId }, _, end) {
      begun.push({ accountId: Number(webhookId.split("/")[0]), end });
      return { bytes, abort: () => {} };
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
  /** Gives an account endpoints of a kind, with ten notifications each. */
  function add(accountId: number, count: number, kind: Kind): void {
    for (let n = 0; n < count; n += 1) sender.schedule(open(accountId, kind));
  }
  function open(accountId: number, kind: Kind): Endpoint {
    opened += 1;
    const webhookId = `${accountId}/${opened}`;
    const endpoint = openEndpoint({ webhookId, accountId, failing: kind === "slow" }, { shard, accounts });
    for (let sequence = 1; kind === "quick" && sequence <= 10; sequence += 1) exchangeOne(endpoint, sequence);
    for (let sequence = 11; sequence <= 20; sequence += 1)
      endpoint.enqueue({ ...notificationOf(webhookId, sequence), eventText: textOf(accountId) });
    return endpoint;
  }
  const passes = async (count = 100) => {
    for (let n = 0; n < count; n += 1) await setImmediate();
  };
  return { add, begun, passes, accounts, of: (id: number) => accounts.of(id).exchanges.own };
}

test("an account alone may have 512 exchanges in flight, and 256 of them at endpoints that are new or slow", async () => {
  for (const [kind, most] of [
    ["quick", 512],
    ["new", 256],
    ["slow", 256],
  ] as const) {
    const { add, passes, of } = openWorld();
    add(1, 300, kind);
    await passes();
    expect(of(1), kind).toBe(most);
  }
});

test("accounts that take all they can get equal shares, and as much stays free", async () => {
  for (const kind of ["quick", "new", "slow"] as const) {
    const { add, begun, passes, of } = openWorld();
    for (let id = 1; id <= 5; id += 1) add(id, 300, kind);
    await passes();
    const all = kind === "quick" ? 1_024 : 512;
    // Who came first was ahead by one pass of the event loop.
    for (let id = 1; id <= 5; id += 1) expect(Math.abs(of(id) - all / 6), kind).toBeLessThanOrEqual(16);
    add(6, 4, kind);
    await passes(5);
    expect(begun.filter(({ accountId }) => accountId === 6).length, kind).toBeGreaterThanOrEqual(4);
  }
});

test("large bodies of one account leave another room for as many bytes as are free", async () => {
  const { add, passes, accounts, of } = openWorld(4_000_000);
  const { limit } = accounts.all.bytes;
  add(1, 300, "quick");
  await passes();
  expect(of(1)).toBe(limit / 2 / 4_000_000);
  add(2, 300, "quick");
  await passes();
  expect(of(2)).toBe(limit / 4 / 4_000_000);
});

test("an account whose results wait for the database starts nothing more, while another does", async () => {
  const { add, passes, accounts, of } = openWorld();
  accounts.of(1).unrecorded.add(accounts.all.unrecorded.limit / 2);
  add(1, 10, "quick");
  add(2, 10, "quick");
  await passes();
  expect([of(1), of(2)]).toEqual([0, 100]);
});

test("slow endpoints of an account leave its quick and its new ones room", async () => {
  const { add, passes, of } = openWorld();
  add(1, 300, "slow");
  add(1, 50, "new");
  await passes();
  expect(of(1)).toBe(256 + 100);
  add(1, 5, "quick");
  await passes();
  expect(of(1)).toBe(256 + 100 + 50);
});

test("however many wait, the next account's turn comes after one exchange of each", async () => {
  const { add, begun, passes } = openWorld();
  const endAll = () => begun.splice(0).map(({ end }) => end({ status: 204, durationMs: 1 }));
  for (let id = 1; id <= 3; id += 1) add(id, 200, "quick");
  await passes(10);
  const before = begun.length;
  add(4, 1, "quick");
  endAll();
  await passes(1);
  const [first] = begun.flatMap(({ accountId }, index) => (accountId === 4 ? index : []));
  expect(before).toBeGreaterThan(16);
  expect(first).toBeLessThan(4);
});

test("large bodies of one account cost it turns while another waits, and nothing while it is alone", async () => {
  const text = "x".repeat(3_276_800);
  const { add, passes, of } = openWorld(1, (id) => (id === 1 ? text : "{}"));
  add(1, 10, "quick");
  await passes(5);
  const alone = of(1);
  expect(alone).toBeGreaterThanOrEqual(5);
  add(2, 300, "quick");
  await passes(10);
  expect(of(1) - alone).toBeLessThanOrEqual(2);
  expect(of(2)).toBeGreaterThan(100);
  await passes(200);
  expect(of(1)).toBe(100);
});
