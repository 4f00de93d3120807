/** The database is restored to an older state: nothing is lost, and what was sent since comes again as it was. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { query } from "../support/database.ts";
import { expectNothingLost, readLedger } from "../support/ledger.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let world: World;
const copies: string[] = [];
beforeEach(async () => {
  world = await startWorld();
});
afterEach(async () => {
  await world.stop();
  for (const name of copies.splice(0)) await query(adminUrl(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
});

/** What arrived, by sequence: a webhook that is not ordered has up to ten requests in flight, which arrive in any order. */
const inSequence = (arrived: { rawBody: string; sequence: number }[]) =>
  arrived.map(({ rawBody, sequence }) => ({ rawBody, sequence })).sort((a, b) => a.sequence - b.sequence);

/** Of the server's own database, where others are made and dropped. */
const adminUrl = () => (world.config.databaseUrl ?? "").replace(/\/\w+$/, "/postgres");
const nameOf = (url = "") => /\/(\w+)$/.exec(url)?.[1] ?? "";

/** Restarts the service. @returns a copy of its database from in between */
async function backUp(): Promise<string> {
  const name = `${nameOf(world.config.databaseUrl)}_copy`;
  copies.push(name);
  await world.restart(async () => {
    await query(adminUrl(), `CREATE DATABASE ${name} TEMPLATE ${nameOf(world.config.databaseUrl)}`);
  });
  return (world.config.databaseUrl ?? "").replace(/\/\w+$/, `/${name}`);
}

async function watch(digit: string) {
  const address = `0x${digit.repeat(40)}` as const;
  const { id } = await world.client.createWebhook({
    body: {
      url: `${world.receiver.url}/${digit}`,
      chainId: testChainId,
      eventType: "address_activity",
      metadata: { addresses: [address] },
    },
  });
  return { id, address };
}

test("following resumes from the older state, and later deliveries are repeated under the same messageIds", async () => {
  const { id, address } = await watch("a");
  await world.wallet.send(address, 1n);
  await world.receiver.waitFor(1);
  const backup = await backUp();
  for (const value of [2n, 3n, 4n]) await world.wallet.send(address, value);
  const first = inSequence(await world.receiver.waitFor(4));
  const late = await watch("b");

  await world.restart(async () => {
    world.config.databaseUrl = backup;
  });
  const again = inSequence((await world.receiver.waitFor(7)).slice(4));
  expect(again).toEqual(first.slice(1));
  await world.wallet.send(address, 5n);
  expect((await world.receiver.waitFor(8)).at(-1)?.sequence).toBe(5);
  const { pool } = world.service.database;
  await expect.poll(async () => (await readLedger(pool, world.receiver)).delivered.size).toBe(5);
  expectNothingLost(await readLedger(pool, world.receiver));
  await world.client.getWebhook({ path: { id } });
  await expect(world.client.getWebhook({ path: { id: late.id } })).rejects.toMatchObject({ code: "not_found" });
});
