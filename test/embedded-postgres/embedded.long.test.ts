/** The embedded PostgreSQL survives what happens to it: crashes, kills, half-made folders. */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Janitor, startJanitor } from "../../scripts/local/janitor.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../server/embedded-postgres/index.ts";
import { isAlive } from "../../server/embedded-postgres/postmaster.ts";
import { openDatabase } from "../../server/store/open.ts";
import { runChild } from "../support/child.ts";
import { query } from "../support/database.ts";

const isRoot = process.getuid?.() === 0;
let janitor: Janitor;
let dataDir: string;
let running: EmbeddedPostgres[];

beforeEach(async () => {
  janitor = await startJanitor();
  dataDir = janitor.makeFolder("chain-webhooks-embedded-");
  running = [];
});

afterEach(async () => {
  for (const postgres of running) await postgres.stop("immediate");
  await janitor.close();
});

async function start(options: { durable?: boolean } = { durable: false }): Promise<EmbeddedPostgres> {
  const onSpawn = (pid: number) => janitor.watchProcess(pid, "SIGQUIT");
  const postgres = await startEmbeddedPostgres({ dataDir, onSpawn, ...options });
  running.push(postgres);
  return postgres;
}

describe("data", () => {
  test("survives a stop and a start", async () => {
    const first = await start({});
    expect(first.adopted).toBe(false);
    await query(first.url, "create table kept as select 7 as value");
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);

    const second = await start({});
    expect(second.adopted).toBe(false);
    expect(await query(second.url, "select value from kept")).toEqual([{ value: 7 }]);
  });

  test("survives a kill -9 of the server, whose pid file stays behind", async () => {
    const first = await start({});
    await query(first.url, "create table kept as select 7 as value");
    process.kill(first.pid, "SIGKILL");
    await expect.poll(() => isAlive(first.pid)).toBe(false);
    expect(await readdir(join(dataDir, "postgres"))).toContain("postmaster.pid");

    const second = await start({});
    expect(second.adopted).toBe(false);
    expect(await query(second.url, "select value from kept")).toEqual([{ value: 7 }]);
  });

  test("is written to disk at each commit unless configured otherwise", async () => {
    const { url } = await start({});
    const rows = await query(
      url,
      "select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name",
    );
    expect(rows.map(({ setting }) => setting)).toEqual(["on", "on", "on"]);
  });
});

describe("a server that dies while it is watched", () => {
  const patient = { timeout: 120_000, interval: 100 };
  async function watched() {
    const restarts: number[] = [];
    const losses: Error[] = [];
    const onSpawn = (pid: number) => janitor.watchProcess(pid, "SIGQUIT");
    const watch = { onRestart: (pid: number) => restarts.push(pid), onLost: (error: Error) => losses.push(error) };
    const postgres = await startEmbeddedPostgres({ dataDir, durable: false, onSpawn, watch });
    running.push(postgres);
    return { postgres, restarts, losses };
  }

  // SIGTERM makes it wait until its clients have left, and let none in.
  test.each(["SIGKILL", "SIGQUIT", "SIGINT", "SIGTERM"] as const)(
    "by %s is started again at the same port, with its data",
    async (signal) => {
      const { postgres, restarts, losses } = await watched();
      await query(postgres.url, "create table kept as select 7 as value");
      // This one does not wait for the disk at each commit.
      await query(postgres.url, "checkpoint");
      process.kill(postgres.pid, signal);
      await expect.poll(() => restarts.length, patient).toBe(1);
      expect(await query(postgres.url, "select value from kept")).toEqual([{ value: 7 }]);
      expect(losses).toEqual([]);
      await postgres.stop();
      expect(isAlive(restarts[0] ?? 0)).toBe(false);
    },
    150_000,
  );

  test("twice within a minute is not started a third time", async () => {
    const { postgres, restarts, losses } = await watched();
    process.kill(postgres.pid, "SIGQUIT");
    await expect.poll(() => restarts.length, patient).toBe(1);
    process.kill(restarts[0] ?? 0, "SIGQUIT");
    await expect
      .poll(() => losses.map(({ message }) => message), patient)
      .toEqual([
        expect.stringMatching(/^The embedded PostgreSQL died twice within a minute\. See \/.*postgres\.log\.$/),
      ]);
    expect(restarts).toHaveLength(1);
  });

  test("and does not start again either is given up after a second try", async () => {
    const { postgres, restarts, losses } = await watched();
    process.kill(postgres.pid, "SIGSTOP");
    await rename(join(dataDir, "postgres", "global", "pg_control"), join(dataDir, "kept"));
    process.kill(postgres.pid, "SIGKILL");
    await expect
      .poll(() => losses.map(({ message }) => message), patient)
      .toEqual([expect.stringMatching(/^The embedded PostgreSQL did not start\. See [\s\S]*pg_control/)]);
    expect(restarts).toEqual([]);
  });
});

describe("a running server", () => {
  test("that died after its parent is not waited for", async () => {
    const parent = await runChild<number>(`
      import { startEmbeddedPostgres } from "./server/embedded-postgres/index.ts";
      const { pid } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
      report(pid);
    `);
    await parent.kill();
    // Where the machine's first process does not wait for orphans, as in many containers, the id stays taken.
    process.kill(parent.result, "SIGKILL");

    expect((await start()).adopted).toBe(false);
  });

  test("is adopted after its parent was killed, and can be stopped", async () => {
    const parent = await runChild<{ pid: number; port: number }>(`
      import { startEmbeddedPostgres } from "./server/embedded-postgres/index.ts";
      const { pid, port, url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
      report({ pid, port });
    `);
    janitor.watchProcess(parent.result.pid, "SIGQUIT");
    await parent.kill();

    const adopted = await start();
    expect(adopted).toMatchObject({ ...parent.result, adopted: true });
    expect(await query(adopted.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await adopted.stop();
    expect(isAlive(adopted.pid)).toBe(false);
  });

  test.runIf(process.platform !== "win32")("is out of reach of the Ctrl-C that ends its parent", async () => {
    const { pid } = await start();
    const { stdout } = await promisify(execFile)("ps", ["-o", "pgid=", "-p", String(pid)]);
    expect(Number(stdout)).toBe(pid);
  });

  test("keeps running while another process uses it", async () => {
    const [first, second] = await Promise.all([start(), start()]);
    expect(second.pid).toBe(first.pid);
    await first.stop();
    expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await second.stop();
    expect(isAlive(first.pid)).toBe(false);
  });

  test("is not confused with another program that got its process id", async () => {
    const first = await start();
    const pidFile = join(dataDir, "postgres/postmaster.pid");
    const text = await readFile(pidFile, "utf8");
    await first.stop();
    await writeFile(pidFile, text.replace(String(first.pid), String(process.ppid)));

    expect((await start()).adopted).toBe(false);
  });
});

describe("a folder", () => {
  test("with the files of another major version is refused", async () => {
    await (await start()).stop();
    await writeFile(join(dataDir, "postgres/PG_VERSION"), "16\n");
    await expect(start()).rejects.toThrow(/DATA_DIR .* contains a database of PostgreSQL 16, .* embedded-postgres 16/);
  });

  test("where initdb was killed half way is usable", async () => {
    const parent = await runChild<number>(`
      import { readdir } from "node:fs/promises";
      import { startEmbeddedPostgres } from "./server/embedded-postgres/index.ts";
      startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
      while (!(await readdir(${JSON.stringify(dataDir)})).some((name) => name.startsWith("init-"))) ;
      report(process.pid);
    `);
    await parent.kill();
    expect(await readdir(dataDir)).toContainEqual(expect.stringContaining(`init-${parent.result}-`));
    expect(await readdir(dataDir)).not.toContain("postgres");

    const { url } = await start();
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringContaining("init-"));
  });

  test("that holds something else by the name of ours is refused", async () => {
    await mkdir(join(dataDir, "postgres"));
    await expect(start()).rejects.toThrow(/contains no database\. Remove it, or set another DATA_DIR/);
  });

  test.runIf(isRoot)(
    "that the server's account cannot enter is refused in a sentence that names DATA_DIR",
    async () => {
      await mkdir(join(dataDir, "taken"));
      dataDir = join(dataDir, "inner");
      await expect(start()).rejects.toThrow(/may not enter .*DATA_DIR.*Set DATA_DIR to a folder/);
    },
  );
});

describe("access", () => {
  test("needs the password, which is random and readable by its owner only", async () => {
    const { url, pid } = await start();
    const file = join(dataDir, "postgres/password");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, "postgres"))).mode & 0o777).toBe(0o700);
    const password = (await readFile(file, "utf8")).trim();
    expect(password).toMatch(/^[\w-]{32}$/);
    expect(url).toContain(`:${password}@127.0.0.1:`);
    if (process.platform === "linux") expect(await readFile(`/proc/${pid}/cmdline`, "utf8")).not.toContain(password);

    await expect(query(url.replace(password, "wrong"), "select 1")).rejects.toMatchObject({ code: "28P01" });
    await expect(query(url.replace(`:${password}`, ""), "select 1")).rejects.toThrow(/password/);
  });

  test("is by the loopback interface only, and by no socket file", async () => {
    const { url, port } = await start();
    const [settings] = await query(
      url,
      "select current_setting('listen_addresses') as host, current_setting('unix_socket_directories') as sockets",
    );
    expect(settings).toEqual({ host: "127.0.0.1", sockets: "" });
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address } of others.filter(({ internal, family }) => !internal && family === "IPv4")) {
      // The port is free there, so that the server does not listen on it.
      const server = createServer();
      await new Promise<void>((done, fail) => server.once("error", fail).listen(port, address, done));
      server.close();
    }
  });
});

test.runIf(process.platform === "linux")(
  "a folder that cannot be made is reported in a sentence, and soon",
  async () => {
    for (const dataDir of ["/proc/none", "/proc/none/below", "/dev/null", "/dev/null/below"])
      await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
        /^DATA_DIR \(\/.*\) cannot be used by this user: /,
      );
  },
);

test("where no database is configured one is started, shared, and ended with its last user", async () => {
  const first = await openDatabase({ dataDir });
  const second = await openDatabase({ databaseUrl: "", dataDir });
  expect(second.url).toBe(first.url);
  await first.close();
  expect((await second.pool.query("SELECT count(*) FROM accounts")).rows).toEqual([{ count: 0 }]);
  await second.close();
});
