/** `serve` for a person and for a program: three lines and a readable log on a terminal, JSON lines in a pipe. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

const serve = `${process.execPath} --import tsx scripts/command/cli.ts serve`;
/** It gives a program a terminal; Linux has it. */
const hasScript = spawnSync("script", ["--version"]).status === 0;

async function start(command: string, args: string[], more: Record<string, string> = {}): Promise<() => string> {
  const database = await createTestDatabase();
  const chains = JSON.stringify([{ chainId: "1", name: "Ethereum", rpcUrls: ["http://127.0.0.1:9"] }]);
  const { NO_COLOR: _, ...own } = process.env;
  const env = {
    ...own,
    PORT: "0",
    DATABASE_URL: database.url,
    CHAINS: chains,
    TERM: "xterm-256color",
    ...more,
  };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  onTestFinished(async () => {
    const ended = once(child, "exit");
    if (child.pid !== undefined && child.exitCode === null) {
      process.kill(-child.pid, "SIGTERM");
      await ended;
    }
    await database.drop();
  });
  return () => said;
}

test.runIf(hasScript)(
  "on a terminal it starts with where it listens, where its docs are, and what to do next",
  async () => {
    const said = await start("script", ["-qec", serve, "/dev/null"], { NO_COLOR: "1" });
    await eventually(() => expect(said()).toMatch(/ warn /));
    const [listening, docs, next, line = ""] = said().split("\r\n");
    const url = /^Listening at (http:\/\/127\.0\.0\.1:\d+)$/.exec(listening ?? "")?.[1];
    expect([listening, docs, next]).toEqual([
      `Listening at ${url}`,
      `Docs at ${url}/docs`,
      "Next: chain-webhooks-service keys create --account NAME --scopes read,write",
    ]);
    expect(line).toMatch(/^\d\d:\d\d:\d\d (info|warn) {1,2}\S/);
    // No escape at all with NO_COLOR.
    expect(said()).not.toContain("\u001b[");
  },
);

test.runIf(hasScript)("on a terminal with --json it logs JSON lines only, also where colours are forced", async () => {
  const said = await start("script", ["-qec", `${serve} --json`, "/dev/null"], { FORCE_COLOR: "1" });
  await isJsonOnly(said);
});

test("into a pipe it logs JSON lines only", async () => {
  await isJsonOnly(await start("sh", ["-c", `exec ${serve}`]));
});

async function isJsonOnly(said: () => string): Promise<void> {
  await eventually(() => expect(said()).toContain('"msg":"started"'));
  for (const line of said().split(/\r?\n/).slice(0, -1)) expect(JSON.parse(line)).toHaveProperty("level");
}
