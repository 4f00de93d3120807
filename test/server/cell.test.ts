/** A process and its database know their cell: where the name shows, and who may not start. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { run } from "../../scripts/command/run.ts";
import { createLog } from "../../server/base/log.ts";
import { type Service, startService } from "../../server/service.ts";
import { createPool } from "../../server/store/pool.ts";
import { runHere } from "../support/command.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { testConfig } from "../support/service.ts";

let database: TestDatabase;
let running: Service[];
let lines: string[];
beforeEach(async () => {
  [running, lines] = [[], []];
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(running.map((service) => service.stop()));
  await database.drop();
});

async function start(cell: string | undefined): Promise<Service> {
  const config = testConfig(database.url, [], { cell, roles: new Set(["api"]) });
  const service = await startService(
    config,
    createLog("info", { cell, destination: { write: (line) => void lines.push(line) } }),
  );
  running.push(service);
  return service;
}

const at = async (url: string) => (await fetch(url)).json();

test("a named cell is in health, metrics and log lines", async () => {
  const { url, metricsUrl } = await start("north-1");
  expect(await at(`${url}/healthz`)).toEqual({ status: "up", cell: "north-1" });
  expect(await at(`${url}/readyz`)).toEqual({ status: "ready", cell: "north-1", chains: [] });
  expect(await at(`${metricsUrl}/healthz/chains`)).toEqual({ status: "following", cell: "north-1", chains: [] });
  const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
  expect(metrics).toContain('chain_webhooks_database_up{cell="north-1"} 1');
  expect(metrics.split("\n").filter((line) => /^[^#]/.test(line) && !line.includes('cell="north-1"'))).toEqual([]);
  await fetch(`${url}/v1/chains`);
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ cell: "north-1" });
});

test("without CELL nothing names one", async () => {
  const { url, metricsUrl } = await start(undefined);
  expect(await at(`${url}/healthz`)).toEqual({ status: "up" });
  expect(await at(`${url}/readyz`)).toEqual({ status: "ready", chains: [] });
  expect(await (await fetch(`${metricsUrl}/metrics`)).text()).not.toContain("cell=");
  await fetch(`${url}/v1/chains`);
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  expect(lines.join()).not.toContain("cell");
});

test("a process of another cell does not start, in whichever order they come", async () => {
  await start(undefined);
  // The one cell gets its name once there are several, while its processes run.
  await start("a");
  await start("a");
  await expect(start("b")).rejects.toThrow("CELL must name the cell of DATABASE_URL, which is the cell a's; it is b.");
  await expect(start(undefined)).rejects.toMatchObject({
    code: "config_invalid",
    message: "CELL must name the cell of DATABASE_URL, which is the cell a's; it is not set.",
  });
  expect(await query(database.url, "SELECT name, version FROM cell")).toEqual([
    { name: "a", version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  ]);
});

test("of two processes that start at the same time with different names, one starts", async () => {
  const starting = await Promise.allSettled(["a", "b"].map(start));
  expect(starting.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("a command with another cell's name does nothing", async () => {
  await start("a");
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("CELL", "b");
  const create = ["keys", "create", "--account", "acme", "--scopes", "read"];
  expect(await runHere(run, create)).toMatchObject({ code: 1, stderr: expect.stringContaining("it is b.") });
  const pool = createPool(database.url, { max: 1 });
  expect((await pool.query("SELECT FROM accounts")).rowCount).toBe(0);
  await pool.end();
  for (const cell of ["a", ""]) {
    vi.stubEnv("CELL", cell);
    expect(await runHere(run, create)).toMatchObject({ code: 0 });
  }
});
