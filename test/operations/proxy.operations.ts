/** The proxies of docs/tls.md in front of the API, as the page configures them: TLS, the client's address, and the API's own errors. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createPool } from "../../server/store/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { readDocument } from "../support/document.ts";
import { freePort } from "../support/free-port.ts";
import { endAll, endLater, start } from "../support/shell.ts";
import { type Authority, type Certificate, makeAuthority } from "./certificates.ts";
import { type Answer, type Call, httpsCall } from "./https-call.ts";

const page = readDocument("docs/tls.md");
const requestsAllowed = 5;

let database: TestDatabase;
let folder: string;
let ca: Authority;
let certificate: Certificate;
let apiPort: number;
let key: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-operations-"));
  ca = await makeAuthority(folder);
  certificate = await ca.issue("webhooks", "DNS:localhost,IP:127.0.0.1");
  apiPort = await freePort();
  const command = page.commands.find((line) => line.includes("TRUST_PROXY")) ?? "";
  const CHAINS = JSON.stringify([{ chainId: "43114", rpcUrls: ["http://127.0.0.1:1"] }]);
  const limits = { RATE_LIMIT_ADDRESS: String(requestsAllowed), RATE_LIMIT_SECONDS: "3600" };
  const env = { DATABASE_URL: database.url, CHAINS, ...limits };
  await start("sh", ["-c", command.replace("3000", String(apiPort))], /"started"/, env);
  const pool = createPool(database.url, { max: 1 });
  key = (await createKey(pool, { account: "acme", scopes: ["read", "write"] })).key;
  await pool.end();
});
afterAll(async () => {
  await endAll();
  await Promise.all([database.drop(), rm(folder, { recursive: true })]);
});

/** The page's configuration with the ports and files that there are. */
async function configuration(language: string, port: number): Promise<string> {
  const both = join(folder, "both.pem");
  await writeFile(both, (await readFile(certificate.cert, "utf8")) + (await readFile(certificate.key, "utf8")));
  const [block = ""] = page.fences(language);
  return block
    .replace("127.0.0.1:3000", `127.0.0.1:${apiPort}`)
    .replace(/\b443\b/, String(port))
    .replace("/etc/ssl/webhooks.example.com.pem", certificate.cert)
    .replace("/etc/ssl/webhooks.example.com.key", certificate.key)
    .replace("/etc/ssl/webhooks.example.com.both.pem", both);
}

const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
const proxies = {
  nginx: async (port: number) => {
    const file = join(folder, "nginx.conf");
    const user = process.getuid?.() === 0 ? "user root;" : "";
    const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
    const http = `access_log off; ${paths}\n${await configuration("nginx", port)}`;
    await writeFile(
      file,
      `daemon off; ${user} pid ${folder}/nginx.pid; error_log stderr;\nevents {}\nhttp { ${http} }\n`,
    );
    return spawn("nginx", ["-e", "stderr", "-p", folder, "-c", file], { detached: true });
  },
  haproxy: async (port: number) => {
    const file = join(folder, "haproxy.cfg");
    await writeFile(file, await configuration("haproxy", port));
    return spawn("haproxy", ["-db", "-f", file], { detached: true });
  },
};

/** Sends a request from one of this machine's addresses. */
async function call(port: number, sent: Call): Promise<Pick<Answer, "status" | "body">> {
  const { status, body } = await httpsCall(port, ca.cert, sent);
  return { status, body };
}

test.each([
  ["nginx", 10],
  ["haproxy", 20],
] as const)("%s ends TLS, passes the client's address on, and leaves errors to the API", async (name, net) => {
  const port = await freePort();
  const proxy = await proxies[name](port);
  endLater(proxy);
  let complaint = "";
  proxy.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const [first, second, third] = [1, 2, 3].map((n) => `127.0.${net}.${n}`) as [string, string, string];
  // Health is never limited.
  await expect
    .poll(() => call(port, { client: third, path: "/readyz" }), { timeout: 20_000, message: complaint })
    .toMatchObject({ status: 200 });

  // Whatever the client says of itself, its own address counts.
  const statuses: unknown[] = [];
  for (let n = 0; n <= requestsAllowed; n += 1) {
    const headers = { "x-forwarded-for": `198.51.100.${n}` };
    statuses.push((await call(port, { client: first, headers })).status);
  }
  expect(statuses).toEqual([...Array(requestsAllowed).fill(200), 429]);
  expect(await call(port, { client: second })).toMatchObject({ status: 200 });

  const headers = { "content-type": "application/json", "x-service-api-key": key };
  const large = { client: third, method: "POST", path: "/v1/webhooks", headers, body: `"${"x".repeat(1_500_000)}"` };
  const refused = await call(port, large);
  expect({ ...refused, body: JSON.parse(refused.body) }).toMatchObject({ status: 413, body: { statusCode: 413 } });
  const long = await call(port, { client: third, path: `/v1/webhooks?pageToken=${"x".repeat(9_000)}`, headers });
  expect({ ...long, body: JSON.parse(long.body) }).toMatchObject({ status: 414, body: { statusCode: 414 } });
});
