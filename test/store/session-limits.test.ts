/** Whatever opens a connection to the database: its first statement sets the time limit that the database keeps. */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { run } from "../../scripts/command/run.ts";
import { startService } from "../../server/service.ts";
import { runHere } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { testChain, testConfig } from "../support/service.ts";

/** No node listens there. */
const nobody = "http://127.0.0.1:1";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("connections are opened in three places only, and each sets the limit or never connects", () => {
  const files = ["server", "scripts", "client"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(folder, path)),
  );
  expect(files.length).toBeGreaterThan(300);
  const opening = files.filter((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return /(from |\()"pg"/.test(text) && /new (pg\.)?(Client|Pool)\(/.test(text);
  });
  // A new place is tried by the tests below, or sets `statement_timeout` itself. The last one only looks at the URL.
  expect(opening).toEqual([
    ...["server/embedded-postgres/join-or-start.ts", "server/settings/database-url.ts", "server/store/pool.ts"],
  ]);
  expect(readFileSync(join(root, "server/embedded-postgres/join-or-start.ts"), "utf8")).toContain(
    "statement_timeout: ",
  );
});

let database: TestDatabase;
let tap: Awaited<ReturnType<typeof tapDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
  tap = await tapDatabase(database.url);
});
afterAll(async () => {
  tap.close();
  await database.drop();
});

/** A way to the database that keeps what each connection sends at first. */
async function tapDatabase(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sent: { text: string }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    near.on("error", () => far.destroy());
    const far = connect(Number(target.port), target.hostname);
    far.on("error", () => near.destroy());
    const connection = { text: "" };
    sent.push(connection);
    near.on("data", (bytes) => {
      if (connection.text.length < 4_096) connection.text += bytes.toString("latin1");
    });
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) sockets.add(socket.on("close", () => sockets.delete(socket)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    /** What each connection sent that has sent a statement. */
    sent: () => sent.map(({ text }) => text).filter((text) => statement.test(text)),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const statement = /\b(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|SET|LISTEN|CREATE)\b/;
/** What may come before the limit is set. */
const first = /SET client_connection_check_interval = \d+|SELECT set_config\('jit', 'off', false\), set_config\('$/g;

/** Those that send a statement without a limit. */
const unlimited = (sent: readonly string[]) =>
  sent.filter((text) => {
    const [before = ""] = text.split("statement_timeout");
    return before.length === text.length || statement.test(before.replaceAll(first, ""));
  });

test("a connection without a limit is noticed", async () => {
  expect(
    unlimited(["…BEGIN", "…SET client_connection_check_interval = 1", "…SELECT 1; SET statement_timeout = 1"]),
  ).toHaveLength(3);
  expect(unlimited(["…SELECT set_config('jit', 'off', false), set_config('statement_timeout', $1, false)"])).toEqual(
    [],
  );
});

test("every connection of a process with all roles has a limit", async () => {
  const service = await startService(testConfig(tap.url, [testChain({ rpcUrl: nobody })]), pino({ level: "silent" }));
  await eventually(() => expect(tap.sent().length).toBeGreaterThan(4));
  await service.stop();
  expect(unlimited(tap.sent())).toEqual([]);
});

test("every connection of a command has a limit", async () => {
  vi.stubEnv("DATABASE_URL", tap.url);
  vi.stubEnv("CHAINS", JSON.stringify([testChain({ rpcUrl: nobody })]));
  vi.stubEnv("CELLS", JSON.stringify([{ name: "a", databaseUrl: tap.url }]));
  const commands = [
    ...["keys create --account a --scopes read", "keys list", "accounts list", "accounts quota a --webhooks 5"],
    ...["secrets list", "accounts move a --to env:DATABASE_URL", "cells list", "check-database --seconds 1"],
  ];
  for (const command of commands) {
    const before = tap.sent().length;
    const { stderr } = await runHere(run, command.split(" "));
    const sent = tap.sent().slice(before);
    expect(sent.length, `${command}: ${stderr}`).toBeGreaterThan(0);
    expect(unlimited(sent), command).toEqual([]);
  }
});
