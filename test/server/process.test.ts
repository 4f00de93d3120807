/** The service as a process: what keeps it from starting is told, and it ends with whoever runs it. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { runService } from "../../server/process.ts";
import { startCommand } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  const CHAINS = JSON.stringify([{ chainId: "43114", rpcUrls: ["http://127.0.0.1:1"] }]);
  env = { DATABASE_URL: database.url, CHAINS, PORT: "0", ROLES: "api", LOG_LEVEL: "info" };
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => database.drop());

async function complaint(more: Record<string, string>): Promise<{ code: number; told: unknown[][] }> {
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const code = await runService({ ...env, LOG_LEVEL: "silent", ...more });
  return { code, told: error.mock.calls };
}

test("a variable that is wrong is told in a sentence", async () => {
  const told = [['PORT must be a whole number from 0 to 65535, not "web".']];
  expect(await complaint({ PORT: "web" })).toEqual({ code: 1, told });
});

test("a database that is away is told in a sentence", async () => {
  const { code, told } = await complaint({ DATABASE_URL: "postgres://postgres@127.0.0.1:1/none" });
  expect({ code, told }).toEqual({
    code: 1,
    told: [[expect.stringMatching(/^The database of DATABASE_URL .*ECONNREFUSED/)]],
  });
});

test("a port in use is told in a sentence", async () => {
  const busy = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => busy.once("listening", resolve));
  const { port } = busy.address() as AddressInfo;
  const told = [[`Port ${port} of 127.0.0.1 is in use; set another PORT or METRICS_PORT.`]];
  expect(await complaint({ PORT: String(port) })).toEqual({ code: 1, told });
  busy.close();
});

test("it does not outlive the npm that runs it", async () => {
  const service = await startCommand("npm", ["start"], { env });
  await service.end("SIGTERM");
  await expect.poll(() => fetch(service.url).catch(() => "gone"), { timeout: 15_000 }).toBe("gone");
});
