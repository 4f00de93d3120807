/** The local chain and database leave nothing behind, whatever happens to the process that started them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, parse } from "node:path";
import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEvmNode } from "../../scripts/local/evm-node.ts";
import { inMemory, startJanitor } from "../../scripts/local/janitor.ts";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import { isAlive } from "../../server/embedded-postgres/postmaster.ts";
import { runChild } from "../support/child.ts";
import { createEmptyDatabase } from "../support/database.ts";

async function ask(rpcUrl: string, method: string, params: unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
  return ((await response.json()) as { result: unknown }).result;
}

describe("startEvmNode", () => {
  test("runs the requested chain and removes it when stopped", async () => {
    const home = existsSync(join(homedir(), ".foundry"));
    const node = await startEvmNode({ chainId: 4242, args: ["--slots-in-an-epoch", "1"] });
    expect(await ask(node.rpcUrl, "eth_chainId")).toBe("0x1092");
    expect(await ask(node.rpcUrl, "eth_blockNumber")).toBe("0x0");
    await ask(node.rpcUrl, "evm_mine");
    expect(await ask(node.rpcUrl, "eth_blockNumber")).toBe("0x1");
    await node.stop();
    expect(isAlive(node.pid)).toBe(false);
    expect(existsSync(join(homedir(), ".foundry"))).toBe(home);
  });

  test("reports anvil's output when it does not start", async () => {
    await expect(startEvmNode({ args: ["--nonsense"] })).rejects.toThrow(/anvil ended .*--nonsense/);
  });
});

describe("createEmptyDatabase", () => {
  test("creates an empty database, dropped with its connections", async () => {
    const [one, two] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
    expect(one.url).not.toBe(two.url);
    const client = new Client({ connectionString: one.url });
    client.on("error", () => undefined);
    await client.connect();
    await client.query("create table mine (id int)");
    await one.drop();
    await expect(new Client({ connectionString: one.url }).connect()).rejects.toMatchObject({ code: "3D000" });
    await two.drop();
  });
});

describe("janitor", () => {
  test("spares what it was to forget, and what is not temporary", async () => {
    const janitor = await startJanitor();
    expect(() => janitor.makeFolder("chain-webhooks-", parse(tmpdir()).root)).toThrow(/removes only/);
    expect(() => janitor.makeFolder("../chain-webhooks-")).toThrow(/removes only/);

    const kept = janitor.makeFolder("chain-webhooks-kept-");
    onTestFinished(() => rmSync(kept, { recursive: true }));
    const doomed = janitor.makeFolder("chain-webhooks-doomed-");
    const inMemoryToo = janitor.makeFolder("chain-webhooks-doomed-", existsSync(inMemory) ? inMemory : tmpdir());
    const sleepers = [spawn("sleep", ["60"]), spawn("sleep", ["60"])];
    const [keptPid = 0, doomedPid = 0] = sleepers.map(({ pid }) => pid);
    for (const pid of [keptPid, doomedPid]) janitor.watchProcess(pid);
    janitor.forgetFolder(kept);
    janitor.forgetProcess(keptPid);
    await janitor.close();

    expect([kept, doomed, inMemoryToo].map((folder) => existsSync(folder))).toEqual([true, false, false]);
    await expect.poll(() => isAlive(doomedPid)).toBe(false);
    expect(isAlive(keptPid)).toBe(true);
    process.kill(keptPid, "SIGKILL");
  });

  test("removes a folder of somebody who is killed as soon as it is made", async () => {
    const folder = mkdtempSync(join(tmpdir(), "chain-webhooks-parent-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const parent = await runChild(
      `
      import { startJanitor } from "./scripts/local/janitor.ts";
      const janitor = await startJanitor();
      janitor.makeFolder("chain-webhooks-doomed-");
      process.kill(process.pid, "SIGKILL");
    `,
      { TMPDIR: folder },
    ).catch(() => undefined);
    expect(parent).toBeUndefined();
    await expect.poll(() => readdirSync(folder).filter((name) => name.startsWith("chain-webhooks-"))).toEqual([]);
  });

  test("ends a group with its children, and spares a forgotten one", async () => {
    const janitor = await startJanitor();
    const groups = ["kept", "doomed"].map(() =>
      spawn("sh", ["-c", "sleep 60 & echo $!; wait"], { detached: true, stdio: ["ignore", "pipe", "ignore"] }),
    );
    const sleepers = await Promise.all(
      groups.map(async ({ stdout }) => Number(String((await once(stdout, "data"))[0]).trim())),
    );
    const [keptPid = 0, doomedPid = 0] = groups.map(({ pid }) => pid);
    for (const pid of [keptPid, doomedPid]) janitor.watchGroup(pid);
    janitor.forgetGroup(keptPid);
    await janitor.close();
    await expect.poll(() => [doomedPid, ...sleepers].map(isAlive)).toEqual([false, true, false]);
    process.kill(-keptPid, "SIGKILL");
    await expect.poll(() => sleepers.map(isAlive)).toEqual([false, false]);
  });

  test("ends the chain and the database, and removes their folders, when their parent is killed", async () => {
    // Apart from the folders that other tests make meanwhile, and open to the account that PostgreSQL runs as, which is on the disk then.
    const folder = mkdtempSync(join(tmpdir(), "chain-webhooks-parent-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o755);
    const parent = await runChild<{ pids: number[] }>(
      `
      import { startEvmNode } from "./scripts/local/evm-node.ts";
      import { startTemporaryPostgres } from "./scripts/local/postgres.ts";
      const [node, postgres] = await Promise.all([startEvmNode({ blockTime: 1 }), startTemporaryPostgres({ durable: true })]);
      report({ pids: [node.pid, postgres.pid] });
    `,
      { TMPDIR: folder },
    );
    const { pids } = parent.result;
    expect(pids.map(isAlive)).toEqual([true, true]);
    const made = () => readdirSync(folder).filter((name) => name.startsWith("chain-webhooks-"));
    expect(made().length).toBeGreaterThanOrEqual(2);

    await parent.kill();
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
    await expect.poll(made).toEqual([]);
  });
});

test("a temporary PostgreSQL is gone after stop", async () => {
  const postgres = await startTemporaryPostgres();
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query("select current_setting('data_directory') as folder");
  await client.end();
  await postgres.stop();
  expect(isAlive(postgres.pid)).toBe(false);
  expect(existsSync(rows[0]?.folder)).toBe(false);
});
