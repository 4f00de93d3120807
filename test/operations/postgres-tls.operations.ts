/** docs/tls.md, to PostgreSQL: what each sslmode checks, what a process says when it fails, and renewal. */
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { runService } from "../../server/process.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createPool } from "../../server/store/pool.ts";
import { query } from "../support/database.ts";
import { type DistributionPostgres, startDistributionPostgres } from "../support/distribution-postgres.ts";
import { readDocument } from "../support/document.ts";
import { endAll, start } from "../support/shell.ts";
import { type Authority, type Certificate, makeAuthority } from "./certificates.ts";

const run = promisify(execFile);
const { commands } = readDocument("docs/tls.md");
const find = (...words: string[]) => commands.find((command) => words.every((word) => command.includes(word))) ?? "";

let folder: string;
let ca: Authority;
let other: Authority;
let good: Certificate;
let postgres: DistributionPostgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-operations-"));
  [ca, other] = await Promise.all([makeAuthority(folder), makeAuthority(folder, "other-ca")]);
  good = await ca.issue("server", "DNS:localhost,IP:127.0.0.1");
  postgres = await startDistributionPostgres({ certificate: good });
});
afterEach(endAll);
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true });
});

const CHAINS = JSON.stringify([{ chainId: "43114", rpcUrls: ["http://127.0.0.1:1"] }]);

const tlsConnections =
  "SELECT count(*)::int AS n FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'chain-webhooks%' AND ssl";

/** Starts the service with these parameters, and ends it when it is up. @returns its exit code and what it complained of */
async function outcome(parameters: string, url = postgres.url): Promise<{ code: number; said: string }> {
  const connected = async (): Promise<unknown> => (await query(admin(url), tlsConnections))[0]?.n;
  // Those of the service before, which has ended, may take a moment to go.
  await expect.poll(connected).toBe(0);
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const log = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  let isOver = false;
  const env = { DATABASE_URL: `${url}?${parameters}`, CHAINS, PORT: "0", ROLES: "api", LOG_LEVEL: "silent" };
  const running = runService(env).finally(() => {
    isOver = true;
  });
  // It waits for a database that is away, so that what makes it end is that it got one, or gave up.
  await expect.poll(async () => isOver || (await connected()) !== 0, { timeout: 20_000 }).toBe(true);
  if (!isOver) process.emit("SIGTERM");
  const code = await running;
  const said = error.mock.calls.flat().join("\n");
  vi.restoreAllMocks();
  log.mockRestore();
  return { code, said };
}

/** The superuser's way in, which needs no TLS. */
const admin = (url: string) => url.replace(/chain_webhooks$/, "postgres");
const failure = (says: RegExp) => ({ code: 1, said: expect.stringMatching(says) });
const fine = { code: 0, said: "" };

test("each sslmode checks what the page documents", async () => {
  const root = `sslrootcert=${ca.cert}`;
  for (const mode of ["verify-full", "verify-ca", "require", "prefer"]) {
    expect(await outcome(`sslmode=${mode}&${root}`), mode).toEqual(fine);
    expect(await outcome(`sslmode=${mode}`), mode).toEqual(failure(/by TLS \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\): /));
  }
  expect(await outcome("sslmode=no-verify")).toEqual(fine);
  expect(await outcome("sslmode=require&uselibpqcompat=true")).toEqual(fine);
  for (const none of ["", "sslmode=disable"])
    expect(await outcome(none)).toEqual(
      failure(/^The database of DATABASE_URL .* no pg_hba\.conf entry .* no encryption\.$/),
    );
});

test("a certificate of another authority, of another host or of nobody is a sentence and the exit code 1", async () => {
  const wrongCa = await outcome(`sslmode=verify-full&sslrootcert=${other.cert}`);
  expect(wrongCa).toEqual(
    failure(/^The database of DATABASE_URL cannot be opened by TLS \(UNABLE_TO_VERIFY_[^\n]+\.$/),
  );
  await postgres.present(await ca.issue("elsewhere", "DNS:db.example.com"));
  await expect
    .poll(() => outcome(`sslmode=verify-full&sslrootcert=${ca.cert}`))
    .toEqual(
      failure(/^The database of DATABASE_URL cannot be opened by TLS \(ERR_TLS_CERT_ALTNAME_INVALID\)[^\n]+\.$/),
    );
  expect(await outcome(`sslmode=verify-ca&uselibpqcompat=true&sslrootcert=${ca.cert}`)).toEqual(fine);
  await postgres.present(good);
  await expect.poll(() => outcome(`sslmode=verify-full&sslrootcert=${ca.cert}`)).toEqual(fine);
});

test("a server without TLS is a sentence too, and not plain text", async () => {
  const plain = await startDistributionPostgres();
  expect(await outcome("sslmode=verify-full", plain.url)).toEqual(
    failure(/ does not support SSL connections\. See docs\/tls\.md\.$/),
  );
  await plain.stop();
});

test("where the server wants a certificate of its clients, sslcert and sslkey are theirs", async () => {
  const mutual = await startDistributionPostgres({ certificate: good, clientCa: ca.cert });
  const [known, strange] = [await ca.issue("postgres"), await other.issue("stranger")];
  const root = `sslmode=verify-full&sslrootcert=${ca.cert}`;
  const as = ({ cert, key }: Certificate) => outcome(`${root}&sslcert=${cert}&sslkey=${key}`, mutual.url);
  expect(await as(known)).toEqual(fine);
  expect(await outcome(root, mutual.url)).toEqual(failure(/ connection requires a valid client certificate\.$/));
  expect(await as(strange)).toEqual(failure(/by TLS \(ERR_SSL_TLSV1_ALERT_UNKNOWN_CA\): /));
  expect(await as({ ...known, key: strange.key })).toEqual(failure(/by TLS \(ERR_OSSL_X509_KEY_VALUES_MISMATCH\): /));
  await mutual.stop();
});

test("the page's commands start the service and show its connections; renewed files need no restart", async () => {
  const { host } = new URL(postgres.url);
  const CA_FILE = join(folder, "renewed-ca.pem");
  await copyFile(ca.cert, CA_FILE);
  // As the page has it, but for the user that is there.
  const command = find("sslmode=verify-full", "npm start").replace("chain_webhooks:$PASSWORD", "postgres:$PASSWORD");
  const env = { PASSWORD: "postgres", DATABASE_HOST: host, CA_FILE, CHAINS, PORT: "0", ROLES: "api" };
  const [, url = ""] = await start("sh", ["-c", command], /"url":"(http:[^"]+)"/, env);
  const DATABASE_URL = `${postgres.url}?sslmode=verify-full&sslrootcert=${CA_FILE}`;
  const shown = await run("sh", ["-c", find("psql", "pg_stat_ssl")], { env: { ...process.env, DATABASE_URL } });
  expect(shown.stdout).toMatch(/^ chain-webhooks\S* +\| t +\| TLSv1\.3$/m);

  const pool = createPool(DATABASE_URL, { max: 1 });
  const { key } = await createKey(pool, { account: "acme", scopes: ["read"] });
  await pool.end();
  const status = () => fetch(`${url}/readyz`).then((response) => response.status);
  expect(await status()).toBe(200);
  await postgres.present(await other.issue("renewed", "DNS:localhost,IP:127.0.0.1"));
  const ours = "FROM pg_stat_activity WHERE application_name LIKE 'chain-webhooks%'";
  // The new certificate is served once the server has read its files again.
  await expect
    .poll(async () => (await query(admin(postgres.url), `SELECT pg_terminate_backend(pid) ${ours}`)) && status(), {
      timeout: 20_000,
    })
    .toBe(503);
  expect((await fetch(`${url}/v1/webhooks`, { headers: { "x-service-api-key": key } })).status).toBe(503);
  await copyFile(other.cert, CA_FILE);
  await expect.poll(status, { timeout: 20_000 }).toBe(200);
});

test("the other commands connect in the same way, and NODE_EXTRA_CA_CERTS adds authorities", async () => {
  const keys = (more: Record<string, string>) => {
    const env = { ...process.env, DATABASE_URL: `${postgres.url}?sslmode=verify-full`, ...more };
    return run(process.execPath, ["--import", "tsx", "scripts/command/cli.ts", "keys", "list"], { env });
  };
  await keys({ NODE_EXTRA_CA_CERTS: join(folder, "other-ca.pem") });
  const refused = await keys({}).catch((error: { code: number; stderr: string }) => error);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Using the database [^\n]+\nThe database [^\n]+\(UNABLE_TO_[^\n]+\n$/),
  });
});
