/** Roles as processes of their own, started in any order, before there is a schema or even a database. */
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { type EvmNode, startEvmNode } from "../../scripts/local/evm-node.ts";
import { openWallet } from "../../scripts/local/wallet.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { migrate } from "../../server/store/migrate.ts";
import { migrateWhenUp } from "../../server/store/open.ts";
import { createPool } from "../../server/store/pool.ts";
import { startTcpGate, type TcpGate } from "../chain/tcp-gate.ts";
import { createEmptyDatabase, query, type TestDatabase } from "../support/database.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { testChain, testChainId } from "../support/service.ts";
import { startServiceProcess } from "../support/service-process.ts";

let database: TestDatabase;
let gate: TcpGate;
let node: EvmNode;
let receiver: Receiver;
/** The database, as one that can be away. */
let url: string;
beforeEach(async () => {
  [database, node, receiver] = await Promise.all([createEmptyDatabase(), startEvmNode(), startReceiver()]);
  const through = new URL(database.url);
  gate = await startTcpGate(Number(through.port));
  through.port = String(gate.port);
  url = through.href;
});
afterEach(async () => {
  await Promise.all([node.stop(), receiver.close(), gate.close()]);
  await database.drop();
});

/** Each migration is on record once, and none is missing. */
async function expectMigrated(): Promise<void> {
  const rows = await query(
    database.url,
    "SELECT version::int, count(*)::int FROM schema_migrations GROUP BY 1 ORDER BY 1",
  );
  expect(rows.filter(({ count }) => count !== 1)).toEqual([]);
  expect(rows.length).toBeGreaterThan(5);
  const pool = createPool(database.url);
  expect(await migrate(pool)).toEqual([]);
  await pool.end();
}

test("roles apart, two that deliver, on an empty database that comes last: all of them do their part", async () => {
  gate.shut();
  const start = (ROLES: string) => startServiceProcess(url, [testChain(node)], { env: { ROLES } });
  const roles = ["deliver", "deliver", "api", "follow"];
  const processes = await Promise.all(roles.map(start));
  const waits = () =>
    processes.map(({ logged }) => logged.some(({ msg }) => String(msg).startsWith("the database is unavailable")));
  await expect.poll(waits).toEqual(processes.map(() => true));
  gate.open();
  const urls = await Promise.all(processes.map(({ started }) => started));
  await expectMigrated();

  const pool = createPool(database.url);
  const { key } = await createKey(pool, { account: "roles", scopes: ["read", "write"] });
  const client = createWebhooksClient({ baseUrl: urls[2] ?? "", apiKey: key });
  await expect.poll(async () => (await client.listChains()).chains[0]?.followedBlock).toBeDefined();
  const wallet = await openWallet(node.rpcUrl);
  const address = `0x${"d".repeat(40)}` as const;
  await client.createWebhook({
    body: {
      url: receiver.url,
      chainId: testChainId,
      eventType: "address_activity",
      metadata: { addresses: [address] },
    },
  });
  await wallet.send(address, 1n);
  await receiver.waitFor(1, () => true);
  const owners = async (kind: string) =>
    (await pool.query("SELECT DISTINCT owner FROM leases WHERE kind = $1 AND owner IS NOT NULL", [kind])).rowCount;
  await expect.poll(() => owners("shard")).toBe(2);
  expect(await owners("chain")).toBe(1);
  await pool.end();
  for (const each of processes) each.signal("SIGTERM");
  for (const { ended } of processes) expect(await ended).toEqual({ code: 0, signal: null });
  expect(processes.flatMap(({ logged }) => logged.filter(({ level }) => Number(level) >= 50))).toEqual([]);
});

test("twelve processes that migrate an empty database concurrently apply each migration once", async () => {
  const pools = Array.from({ length: 12 }, () => createPool(database.url, { max: 1 }));
  const log = pino({ level: "silent" });
  const applied = await Promise.all(pools.map((pool) => migrateWhenUp(pool, log)));
  expect(applied.filter((names) => names.length > 0).length).toBe(1);
  await Promise.all(pools.map((pool) => pool.end()));
  await expectMigrated();
});
