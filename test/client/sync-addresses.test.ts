/** One call makes the service's addresses equal to a list, with the difference only, whatever happens meanwhile. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressDigest } from "../../client/address-digest.ts";
import { createWebhooksClient, type WebhooksClient } from "../../client/index.ts";
import { type Api, startApi } from "../support/api.ts";

let api: Api;
let client: WebhooksClient;
beforeAll(async () => {
  api = await startApi();
  client = createWebhooksClient({ baseUrl: api.url, apiKey: api.keys.both, fetch: counting });
});
afterAll(() => api.close());

let bytes = 0;
const counting: typeof fetch = async (input) => {
  const request = new Request(input);
  bytes += (await request.clone().arrayBuffer()).byteLength;
  const answer = await fetch(request);
  bytes += (await answer.clone().arrayBuffer()).byteLength;
  return answer;
};

const spread = (n: number) => `0x${createHash("sha256").update(String(n)).digest("hex").slice(0, 40)}`;
const numbered = (n: number) => `0x${n.toString(16).padStart(40, "0")}`;
const listOf = (length: number, of = spread, from = 0) => Array.from({ length }, (_, n) => of(from + n));

async function create(addresses: readonly string[]): Promise<string> {
  const { id } = await client.createWebhook({
    body: {
      url: "https://example.com/hook",
      chainId: "43114",
      eventType: "address_activity",
      metadata: { addresses: addresses.slice(0, 10_000) },
    },
  });
  for (let at = 10_000; at < addresses.length; at += 10_000)
    await client.addWebhookAddresses({ path: { id }, body: { addresses: addresses.slice(at, at + 10_000) } });
  return id;
}

const digestOf = async (id: string) => (await client.getWebhook({ path: { id } })).addressDigest;

test.each([
  ["nothing", [], listOf(10)],
  ["the same", listOf(600), listOf(600)],
  ["one more, one less", listOf(600), listOf(600, spread, 1)],
  ["all others", listOf(900), listOf(900, spread, 5_000)],
  ["a part", listOf(3_000), listOf(2_000, spread, 900)],
  ["numbers that begin alike", listOf(3_000, numbered), [...listOf(2_980, numbered, 9), ...listOf(3, spread)]],
  ["numbers and one elsewhere", [...listOf(500, numbered), "0x00ff".padEnd(42, "0")], listOf(500, numbered, 1)],
  [
    "numbers and many elsewhere",
    [...listOf(500, numbered), ...listOf(40, (n) => `0x00f${n % 10}`.padEnd(42, spread(n).slice(2)))],
    listOf(500, numbered, 3),
  ],
  ["only what they lack", listOf(2), listOf(2, numbered)],
])("makes %s into what is wanted", async (_, theirs, ours) => {
  const distinct = [...new Set(theirs)];
  const id = distinct.length > 0 ? await create(distinct) : await create([spread(1)]);
  const before = new Set(distinct.length > 0 ? distinct : [spread(1)]);
  const shouted = ours.map((one) => one.toUpperCase().replace("X", "x"));
  const report = await client.syncAddresses(id, [...shouted, ...ours].reverse());
  const wanted = new Set(ours);
  const added = [...wanted].filter((one) => !before.has(one)).length;
  const removed = [...before].filter((one) => !wanted.has(one)).length;
  expect(report).toMatchObject({ added, removed, unchanged: wanted.size - added, addressDigest: addressDigest(ours) });
  expect(report.effectiveFromBlock).toBe(added + removed > 0 ? "101" : undefined);
  expect(await digestOf(id)).toBe(addressDigest(ours));
  expect(await client.syncAddresses(id, new Set(ours))).toMatchObject({ added: 0, removed: 0, requests: 1 });
});

test("finds a hundred differences of many addresses in a few small requests, one change for all", async () => {
  const theirs = listOf(30_000);
  const id = await create(theirs);
  const ours = [...theirs.slice(50), ...listOf(50, spread, 100_000)];
  bytes = 0;
  const report = await client.syncAddresses(
    id,
    (async function* () {
      yield* ours;
    })(),
  );
  expect(report).toMatchObject({ added: 50, removed: 50, unchanged: 29_950 });
  expect(report.requests).toBeLessThan(9);
  expect(bytes).toBeLessThan(150_000);
  expect(await digestOf(id)).toBe(addressDigest(ours));
});

test("refuses what is no address, or no list at all, and has then changed nothing", async () => {
  const id = await create([spread(1)]);
  for (const wrong of [
    "0x12",
    "",
    `0x${"g".repeat(40)}`,
    `${spread(2)}0`,
    ` ${spread(2)}`.slice(0, 42),
    `0x${"é".repeat(40)}`,
  ])
    await expect(client.syncAddresses(id, [spread(2), wrong])).rejects.toThrow(
      new TypeError(`addresses must be 0x and 40 hex digits, and ${JSON.stringify(wrong)} is not.`),
    );
  await expect(client.syncAddresses(id, [])).rejects.toThrow(TypeError);
  await expect(client.syncAddresses(id, ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"])).rejects.toThrow(
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD",
  );
  expect(await digestOf(id)).toBe(addressDigest([spread(1)]));
  expect(await client.syncAddresses(id, [], { allowEmpty: true })).toMatchObject({
    added: 0,
    removed: 1,
    unchanged: 0,
  });
});

/** A client whose requests end after some of them, as those of a process that is killed. */
const killedAfter = (most: number) => {
  let left = most;
  const breaking: typeof fetch = (input, init) => {
    if (left-- <= 0) throw new Error("killed");
    return fetch(input, init);
  };
  return createWebhooksClient({ baseUrl: api.url, apiKey: api.keys.both, fetch: breaking, maxRetries: 0 });
};

test("one that was killed between its parts has changed nothing, and the next one sends only what is left", async () => {
  const id = await create([spread(1)]);
  const ours = listOf(21_000, spread, 10);
  // The digests in two steps, what was sent before, and two parts.
  await expect(killedAfter(5).syncAddresses(id, ours)).rejects.toThrow();
  expect(await digestOf(id)).toBe(addressDigest([spread(1)]));
  const report = await client.syncAddresses(id, ours);
  expect(report).toMatchObject({ added: 21_000, removed: 1, requests: 5 });
  expect(await digestOf(id)).toBe(addressDigest(ours));
  const { rows } = await api.pool.query("SELECT DISTINCT addition FROM webhook_addresses WHERE webhook_id = $1", [id]);
  expect(rows).toHaveLength(1);
  // There and back, and there again: each time it is a new change.
  for (const next of [[], ours, [], ours]) {
    await client.syncAddresses(id, next, { allowEmpty: true });
    expect(await digestOf(id)).toBe(addressDigest(next));
  }
});

test("two at the same time leave one list or the other, whole, and so does anybody else's change", async () => {
  const id = await create(listOf(50));
  const [one, two] = [listOf(500, spread, 20), listOf(500, spread, 300)];
  await Promise.all([client.syncAddresses(id, one), client.syncAddresses(id, two)]);
  expect([addressDigest(one), addressDigest(two)]).toContain(await digestOf(id));

  let isOnce = true;
  const meddled = watched(async ({ method }) => {
    if (method !== "PATCH" || !isOnce) return undefined;
    isOnce = false;
    await client.addWebhookAddresses({ path: { id }, body: { addresses: [spread(9_999)] } });
    return undefined;
  });
  await meddled.syncAddresses(id, listOf(10));
  expect(isOnce).toBe(false);
  expect(await digestOf(id)).toBe(addressDigest(listOf(10)));
});

/** A client whose requests can be seen, or answered, before they are sent. */
const watched = (before: (request: Request) => Promise<Response | undefined>) =>
  createWebhooksClient({
    ...{ baseUrl: api.url, apiKey: api.keys.both },
    fetch: async (input) => {
      const request = new Request(input);
      return (await before(request)) ?? fetch(request);
    },
  });

test("a large change that is refused is sent again only where it is another, and leaves nothing behind", async () => {
  const id = await create([spread(1)]);
  const ours = listOf(21_000, spread, 10);
  let meddles = 3;
  const sent: number[] = [];
  const meddled = watched(async (request) => {
    if (request.method !== "PATCH") return undefined;
    const { add = [], commit } = await request.clone().json();
    sent.push(add.length);
    if (!commit || meddles-- <= 0) return undefined;
    // One that is not wanted, one that is, and one of those sent that is there after all.
    await client.addWebhookAddresses({ path: { id }, body: { addresses: [spread(50_000 + meddles), spread(10)] } });
    return undefined;
  });
  await meddled.syncAddresses(id, ours);
  expect(await digestOf(id)).toBe(addressDigest(ours));
  expect(sent).toEqual([0, 10_000, 10_000, 1_000, 0, 0, 0, 0, 0, 0, 0]);
  expect((await api.pool.query("SELECT FROM address_change_parts")).rowCount).toBe(0);
});

test("a commit that another request waits for in vain is asked for again", async () => {
  const id = await create([spread(1)]);
  let refusals = 4;
  const busy = watched(async (request) => {
    if (request.method !== "PATCH" || refusals-- <= 0) return undefined;
    await fetch(request.clone());
    const body = { message: "The database cannot be reached.", error: "Service Unavailable", statusCode: 503 };
    return Response.json(body, { status: 503 });
  });
  expect(await busy.syncAddresses(id, listOf(2))).toMatchObject({ added: 1, removed: 0 });
});

test("an answer that divides nothing is an error, and not asked for again for ever", async () => {
  const id = await create(listOf(300));
  const without = createWebhooksClient({
    ...{ baseUrl: api.url, apiKey: api.keys.both },
    fetch: (input) => {
      const request = new Request(input);
      return fetch(new Request(request.url.split("?")[0] ?? "", request));
    },
  });
  await expect(without.syncAddresses(id, listOf(300, spread, 50))).rejects.toMatchObject({ code: "invalid_response" });
});

test("an abort ends the reading of a stream", async () => {
  const aborting = new AbortController();
  const endless = async function* () {
    for (let n = 0; ; n++) {
      if (n === 10) aborting.abort();
      yield spread(n);
    }
  };
  const { signal } = aborting;
  const id = await create([spread(1)]);
  await expect(client.syncAddresses(id, endless(), { signal })).rejects.toMatchObject({
    code: "aborted",
  });
});

test("created contracts stay, and count for nothing", async () => {
  const id = await create([spread(1), spread(2)]);
  await api.pool.query(
    "UPDATE webhook_addresses SET created_in = 50 WHERE webhook_id = $1 AND address = decode($2, 'hex')",
    [...[id, spread(2).slice(2)]],
  );
  expect(await client.syncAddresses(id, [spread(1)])).toMatchObject({ added: 0, removed: 0 });
  expect(await client.syncAddresses(id, [spread(3)])).toMatchObject({ added: 1, removed: 1 });
  expect((await client.listWebhookAddresses({ path: { id } })).addresses).toEqual([spread(2), spread(3)].sort());
});
