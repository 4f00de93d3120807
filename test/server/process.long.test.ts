/** The service as a process: what keeps it from starting is reported, and it ends with its parent. */
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { runService } from "../../server/process.ts";
import { startCommand } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { serviceArguments } from "../support/programs.ts";

let database: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  const CHAINS = JSON.stringify([{ chainId: "43114", rpcUrls: ["http://127.0.0.1:1"] }]);
  env = { DATABASE_URL: database.url, CHAINS, PORT: "0", ROLES: "api", LOG_LEVEL: "info" };
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => database.drop());

async function complaint(more: Record<string, string>): Promise<{ code: number; reported: unknown[][] }> {
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const code = await runService({ ...env, LOG_LEVEL: "silent", ...more });
  return { code, reported: error.mock.calls };
}

test("a variable that is wrong is reported in a sentence", async () => {
  const reported = [['PORT must be a whole number from 0 to 65535, not "web".']];
  expect(await complaint({ PORT: "web" })).toEqual({ code: 1, reported });
});

test.each(["nowhere.invalid", "203.0.113.1"])(
  "HOST=%s, where it cannot listen, is reported in a sentence",
  async (HOST) => {
    const reported = [[expect.stringMatching(/^HOST and METRICS_HOST must be addresses of this machine: [^\n]+\.$/)]];
    expect(await complaint({ HOST })).toEqual({ code: 1, reported });
  },
);

test("a database that will never let it in is reported in a sentence", async () => {
  const { code, reported } = await complaint({ DATABASE_URL: database.url.replace(/\/test_\w+$/, "/none") });
  expect({ code, reported }).toEqual({
    code: 1,
    reported: [[expect.stringMatching(/^The database of DATABASE_URL cannot be opened: .*"none" does not exist/)]],
  });
});

test("while it waits for its database it is up and not ready, and can be stopped", async () => {
  const METRICS_PORT = String(await freePort());
  const running = complaint({ DATABASE_URL: "postgres://postgres@127.0.0.1:1/none", METRICS_PORT });
  const status = (path: string) =>
    fetch(`http://127.0.0.1:${METRICS_PORT}${path}`).then(
      (response) => response.status,
      () => undefined,
    );
  await expect.poll(() => status("/healthz")).toBe(200);
  expect(await status("/readyz")).toBe(503);
  expect(await status("/healthz/chains")).toBe(503);
  expect(await status("/metrics")).toBe(200);
  process.emit("SIGTERM");
  expect(await running).toEqual({ code: 0, reported: [] });
});

test.each([
  ["http://127.0.0.1:4318", "grpc", 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, not "grpc".'],
  ["collector:4317", "", "OTEL_EXPORTER_OTLP_ENDPOINT must be an http:// or https:// URL."],
])(
  "tracing to %s %s is refused in a sentence",
  async (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL, why) => {
    const { code, reported } = await complaint({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL });
    expect({ code, reported }).toEqual({ code: 1, reported: [[why]] });
  },
);

test("a port in use is reported in a sentence", async () => {
  const busy = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => busy.once("listening", resolve));
  const { port } = busy.address() as AddressInfo;
  const reported = [[`Port ${port} of 127.0.0.1 is in use; set another PORT or METRICS_PORT.`]];
  expect(await complaint({ PORT: String(port) })).toEqual({ code: 1, reported });
  busy.close();
});

test("a misspelt setting is reported at the start", async () => {
  const arguments_ = ["--import", "tsx", "server/main.ts"];
  const service = await startCommand(process.execPath, arguments_, { env: { ...env, RETENTION_DAY: "7" } });
  expect(service.stdout()).toContain("RETENTION_DAY is not a setting and has no effect. Did you mean RETENTION_DAYS?");
  expect(await service.end("SIGTERM")).toBe(0);
});

test("it does not outlive the npm that runs it", async () => {
  const service = await startCommand("npm", ["start"], { env });
  await service.end("SIGTERM");
  await expect.poll(() => fetch(service.url).catch(() => "gone")).toBe("gone");
});

test("when its embedded PostgreSQL dies and cannot be started again, it says so and ends with 4", async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), "chain-webhooks-lost-"));
  onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
  const { child, stdout } = await startCommand(process.execPath, serviceArguments(), {
    env: { ...env, DATABASE_URL: "", DATA_DIR },
  });
  const ended = once(child, "exit");
  const cluster = join(DATA_DIR, "postgres");
  const [pid] = (await readFile(join(cluster, "postmaster.pid"), "utf8")).split("\n");
  // Without this file PostgreSQL does not take the folder for its own.
  await rm(join(cluster, "PG_VERSION"));
  process.kill(Number(pid), "SIGKILL");
  expect(await ended).toEqual([4, null]);
  expect(stdout()).toContain("the database is lost: stopping");
  expect(stdout()).toMatch(/"message":"The embedded PostgreSQL [^"]+"/);
});
