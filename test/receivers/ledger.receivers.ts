/** The consumer in Python: its ledger stands what that of the guide stands, and it keeps each promise that the guide makes for both. */
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { expectTrueLedger, kills, limitMs, seed } from "../client/consumer/ledger-course.ts";
import { type MadeFeed, makeFeed, webhookId } from "../client/consumer/made-feed.ts";
import { createEmptyDatabase, query, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  const janitor = await sharedJanitor();
  folder = janitor.makeFolder("chain-webhooks-consumers-");
  cpSync(fileURLToPath(new URL("../../examples/consumers/python", import.meta.url)), folder, { recursive: true });
  const install = ["-m", "pip", "install", "--quiet", "--target", join(folder, "packages"), "-r", "requirements.txt"];
  await promisify(execFile)("python3", install, { cwd: folder });
  env = { PYTHONPATH: `${join(folder, "packages")}:${folder}`, PYTHONDONTWRITEBYTECODE: "1" };
  return async () => {
    const { rm } = await import("node:fs/promises");
    await rm(folder, { recursive: true, force: true });
    janitor.forgetFolder(folder);
  };
});

test(`Python's equals the chain after ${kills} kills (CONSUMER_SEED=${seed})`, { timeout: limitMs }, async () => {
  await expect(expectTrueLedger({ command: ["python3", join(folder, "ledger.py")], env })).resolves.toBeUndefined();
});

/** Notes each pause, but does not wait so long. */
const program = `
import os, signal, sys, threading
import psycopg
from consumer import Consumer

def say(*words):
    print(*words, flush=True)

class Stopped(threading.Event):
    def wait(self, seconds=None):
        say("pause", seconds)
        return super().wait(min(seconds, 0.05))

tries = 0
stopped = Stopped()
signal.signal(signal.SIGTERM, lambda *_: stopped.set())
def handle(connection, sequence, notification):
    global tries
    tries += 1
    connection.execute("INSERT INTO effects VALUES (%s)", [sequence])
    exec(os.environ.get("HANDLE", ""), globals(), locals())
    say("handled", sequence)

Consumer(os.environ["DATABASE_URL"], os.environ["BASE_URL"], "key", "${webhookId}", handle, float(os.environ.get("LEASE", "30")),
    lambda error: say("error", error)).run(stopped)
`;

/** A consumer in Python. @param options.handle what its handler does after its effect */
async function consume(feed: MadeFeed, url: string, { handle = "", lease = "1" } = {}) {
  const child = spawn("python3", ["-c", program], {
    env: { ...process.env, ...env, BASE_URL: feed.baseUrl, DATABASE_URL: url, HANDLE: handle, LEASE: lease },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const janitor = await sharedJanitor();
  janitor.watchProcess(child.pid ?? 0);
  const said: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => said.push(line));
  createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
  const ended = once(child, "exit").then(([code]) => {
    janitor.forgetProcess(child.pid ?? 0);
    return code as number | null;
  });
  const end = (signal: "SIGTERM" | "SIGKILL" = "SIGTERM") => {
    child.kill(signal);
    return ended;
  };
  onTestFinished(async () => void (await end("SIGKILL")));
  return { said, end, ended };
}

async function openDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  await query(database.url, "CREATE TABLE effects (sequence int)");
  return database;
}

const effects = async ({ url }: TestDatabase) =>
  (await query(url, "SELECT sequence FROM effects ORDER BY 1")).map(({ sequence }) => sequence);
const stored = async ({ url }: TestDatabase) =>
  (await query(url, "SELECT position::int, holder FROM chain_webhooks_consumers"))[0];

test.each([
  'connection.execute("COMMIT")',
  'connection.execute("ROLLBACK")',
  'connection.execute("COMMIT; BEGIN")',
  'connection.execute("ROLLBACK AND CHAIN")',
  "raise psycopg.Rollback()",
])("a handler in Python that ends its transaction by %s gets an error, and moves nothing", async (handle) => {
  const [feed, database] = [await makeFeed(), await openDatabase()];
  feed.add();
  const { said } = await consume(feed, database.url, { handle });
  await eventually(() => expect(said).toContain("pause 3"));
  expect(said).toContain("error The handler ended the transaction that it was given.");
  expect(await stored(database)).toMatchObject({ position: null });
});

test("Python's needs no right to create where the table is there", async () => {
  const [feed, database] = [await makeFeed(), await openDatabase()];
  feed.add();
  const first = await consume(feed, database.url);
  await eventually(async () => expect(await effects(database)).toEqual([1]));
  expect(await first.end()).toBe(0);
  const role = `reader_${randomUUID().replaceAll("-", "")}`;
  await query(
    database.url,
    `CREATE ROLE ${role} LOGIN PASSWORD 'x'; REVOKE CREATE ON SCHEMA public FROM PUBLIC;
     GRANT SELECT, INSERT, UPDATE ON chain_webhooks_consumers, effects TO ${role}`,
  );
  onTestFinished(async () => void (await query(database.url, `DROP OWNED BY ${role}; DROP ROLE ${role}`)));
  feed.add();
  const url = Object.assign(new URL(database.url), { username: role, password: "x" });
  const second = await consume(feed, url.href);
  await eventually(async () => expect(await effects(database)).toEqual([1, 2]));
  expect(await second.end()).toBe(0);
});

test("Python's lets another process take over within seconds when it stops, also in the middle of a page", async () => {
  const [feed, database] = [await makeFeed(), await openDatabase()];
  feed.add();
  const waiting = await consume(feed, database.url, { lease: "3600" });
  await eventually(() => expect(feed.queries.at(-1)).toMatchObject({ after: "1" }));
  // Nothing ends its request.
  expect(Number(feed.queries.at(-1)?.wait)).toBeLessThanOrEqual(5);
  expect(await waiting.end()).toBe(0);
  expect(await stored(database)).toEqual({ position: 1, holder: null });

  feed.add();
  feed.add();
  const handling = await consume(feed, database.url, { handle: "stopped.set()" });
  expect(await handling.ended).toBe(0);
  expect(await stored(database)).toEqual({ position: 2, holder: null });
  expect(await effects(database)).toEqual([1, 2]);
});

test("Python's pauses longer after each failure, and begins with the shortest again after a success", async () => {
  const [feed, database] = [await makeFeed(), await openDatabase()];
  for (let count = 0; count < 3; count += 1) feed.add();
  const handle = 'if tries in (1, 2, 3, 5): raise RuntimeError("broken")';
  const { said } = await consume(feed, database.url, { handle });
  const pauses = () => said.filter((line) => /^pause [1-9]/.test(line)).map((line) => Number(line.slice(6)));
  await eventually(async () => expect(await effects(database)).toEqual([1, 2, 3]));
  expect(pauses()).toEqual([1, 3, 7, 1]);
  // A feed that has nothing new is a success, too.
  const refuse = async () => {
    const { length } = said;
    feed.refusal = (response) => response.writeHead(500).end();
    await eventually(() => expect(said.slice(length)).toContain("pause 3"));
    feed.refusal = undefined;
    return said.slice(length).filter((line) => /^pause [1-9]/.test(line));
  };
  await refuse();
  const { length } = said;
  await eventually(() => expect(said.slice(length)).toContain("pause 0.2"));
  expect((await refuse()).slice(0, 2)).toEqual(["pause 1", "pause 3"]);
});

test("Python's works behind a pooler in transaction mode: it leaves no prepared statement", async () => {
  const [feed, database] = [await makeFeed(), await openDatabase()];
  for (let count = 0; count < 20; count += 1) feed.add();
  const prepared = 'connection.execute("SELECT statement FROM pg_prepared_statements").fetchall()';
  const handle = `found = ${prepared}\nif found: raise RuntimeError(found)`;
  const { said } = await consume(feed, database.url, { handle });
  await eventually(() => expect(said.some((line) => line === "handled 20" || line.startsWith("error"))).toBe(true));
  expect(said.filter((line) => line.startsWith("error"))).toEqual([]);
});
