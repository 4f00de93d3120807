/** Factories create what an account changes in the same moment: the recorder and the account wait for each other in one order. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NewWebhook } from "../../server/matching/new-webhook.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { plainLane, readCursor } from "../../server/store/chains/cursor.ts";
import { lockChainExclusively } from "../../server/store/chains/lock.ts";
import { inTransaction } from "../../server/store/pool.ts";
import { addAddresses, listAddresses, removeAddresses } from "../../server/store/webhooks/addresses.ts";
import { updateWebhook } from "../../server/store/webhooks/changes.ts";
import { addCreated, forgetCreatedAbove } from "../../server/store/webhooks/created-addresses.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { getWebhook } from "../../server/store/webhooks/webhooks.ts";
import { type Api, address, startApi } from "../support/api.ts";
import { moveCursor } from "../support/move-cursor.ts";

const chainId = "43114";
const factory = { address: address(99), eventSignature: `0x${"ab".repeat(32)}`, argument: "topic1" };
const wanted: Omit<NewWebhook, "chainId"> = {
  ...{ url: "https://example.com/hook", eventType: "address_activity", name: "", description: "" },
  ...{ includeInternalTxs: false, includeLogs: false, addresses: [], eventSignatures: [] },
  options: { createdBy: factory },
};

let api: Api;
let accounts: number[];
beforeAll(async () => {
  api = await startApi();
  const { rows } = await api.pool.query<{ id: number }>("SELECT id FROM accounts ORDER BY name");
  accounts = rows.map(({ id }) => id);
});
afterAll(() => api.close());

const create = async (account: number, chain = chainId) =>
  (await inTransaction(api.pool, (db) => createWebhook(db, account, { ...wanted, chainId: chain }, noKeys))).id;

/**
 * Records a step as the recorder does.
 *
 * @param blocks for each, the webhooks whose factories create in it, and what
 * @param of.isReplaced whether as many blocks were recorded before, and left the chain
 */
const record = (
  blocks: readonly (readonly [webhookIds: string[], addresses: string[]])[],
  { chain = chainId, isReplaced = false } = {},
) =>
  inTransaction(api.pool, async (db) => {
    await lockChainExclusively(db, chain);
    const { cursor, factories } = await readCursor(db, plainLane(chain));
    expect(factories).toBe(true);
    const before = (cursor?.number ?? 0) - (isReplaced ? blocks.length : 0);
    if (isReplaced) await forgetCreatedAbove(db, plainLane(chain), { above: before });
    const stopped: string[] = [];
    for (const [index, [webhookIds, addresses]] of blocks.entries()) {
      const block = { chainId: chain, number: before + 1 + index, recordedUpTo: before + blocks.length };
      stopped.push(...(await addCreated(db, [{ webhookIds, addresses }], block, undefined)));
    }
    await moveCursor(db, chain, before + blocks.length);
    return stopped;
  });

const watched = async (account: number, id: string) =>
  inTransaction(api.pool, async (db) => {
    const { addresses, total } = await listAddresses(db, account, id, { limit: 100 });
    expect(total).toBe(addresses.length);
    return addresses;
  });

test("addresses are added and removed, and webhooks paused, while their factories create the same contracts", async () => {
  const [account = 0] = accounts;
  const id = await create(account);
  const named = Array.from({ length: 40 }, (_, n) => address(n + 1));
  const change = (work: Parameters<typeof inTransaction<unknown>>[1]) => inTransaction(api.pool, work);
  for (let round = 0; round < 25; round += 1) {
    const done = await Promise.allSettled([
      record([[[id], named]]),
      change((db) => addAddresses(db, account, id, named)),
      change((db) => updateWebhook(db, account, id, { status: "inactive" })),
      change((db) => removeAddresses(db, account, id, named.slice(20))),
      record([[[id], named]], { isReplaced: true }),
      change((db) => updateWebhook(db, account, id, { status: "active" })),
      change((db) => removeAddresses(db, account, id, named)),
    ]);
    expect(done.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []))).toEqual([]);
    const addresses = await watched(account, id);
    expect((await getWebhook(api.pool, account, id)).addressCount).toBe(addresses.length);
  }
});

test("on two chains factories of the same accounts create in steps of several blocks", async () => {
  const chains = [chainId, "1"];
  const webhooks = await Promise.all(
    chains.map((chain, n) =>
      Promise.all(accounts.map((account) => create(account, chain))).then((ids) => (n ? ids : ids.reverse())),
    ),
  );
  for (let round = 0; round < 40; round += 1)
    await Promise.all(
      chains.map((chain, n) =>
        record(
          (webhooks[n] ?? []).map((id) => [[id], [`0x${randomBytes(20).toString("hex")}`]]),
          { chain },
        ),
      ),
    );
  for (const [n, account] of [...accounts.entries()])
    expect((await getWebhook(api.pool, account, webhooks[1]?.[n] ?? "")).addressCount).toBe(40);
});

test("of 10,000 contracts that an account's factories name in a block all are watched; with one more the webhook becomes inactive", async () => {
  const [account = 0] = accounts;
  const [id, second, beyond] = [await create(account), await create(account), await create(account)];
  const named = Array.from({ length: 10_001 }, () => `0x${randomBytes(20).toString("hex")}`);
  expect(await record([[[id], named.slice(0, 10_000)]])).toEqual([]);
  expect(await getWebhook(api.pool, account, id)).toMatchObject({ status: "active", addressCount: 10_000 });
  expect(await record([[[beyond], named]])).toEqual([beyond]);
  const full = { status: "inactive", statusReason: "address_quota_reached", addressCount: 0 };
  expect(await getWebhook(api.pool, account, beyond)).toMatchObject(full);
  // Two of one account share it, and only the one that does not fit stops.
  const stopped = await record([[[id, second], named.slice(0, 5_001)]]);
  expect(stopped).toHaveLength(1);
  expect([id, second]).toEqual(expect.arrayContaining(stopped));
});
