/** The configuration: its defaults, and how a wrong value is refused. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { readConfig } from "../../server/settings/config.ts";
import { newKey } from "../../server/settings/keyring.ts";

const chain = { chainId: "5", rpcUrls: ["http://127.0.0.1:8545"] };

test("without a setting, the service follows the C-Chain and Fuji on an embedded database", () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    host: "127.0.0.1",
    port: 3000,
    metrics: undefined,
    databaseUrl: undefined,
    allowPrivateTargets: false,
    allowHttpTargets: false,
    nameServers: undefined,
    logLevel: "info",
    tracing: false,
    leaseSeconds: 10,
    limits: {
      perKey: { requests: 2_000, seconds: 10 },
      perAddress: { requests: 500, seconds: 10 },
      trustProxy: 0,
      quotas: { webhooks: 10_000, addresses: 10_000_000, anyAddress: 0, comparisons: 1_000, abiBytes: 16_777_216 },
    },
    periods: { timeoutMs: 10_000, inactiveAfterDays: 5, retentionDays: 30 },
  });
  expect([...config.roles]).toEqual(["api", "follow", "deliver"]);
  expect(config.chains.map(({ chainId, traces, finality }) => [chainId, traces, finality])).toEqual([
    ["43114", false, "latest"],
    ["43113", false, "latest"],
  ]);
});

test("the embedded database has one place for each user, wherever one stands", () => {
  const asUser = (uid: number, env: Record<string, string>) => {
    const getuid = vi.spyOn(process, "getuid").mockReturnValue(uid);
    try {
      return readConfig(env).dataDir;
    } finally {
      getuid.mockRestore();
    }
  };
  const home = { HOME: "/home/ada" };
  expect(asUser(1000, home)).toBe("/home/ada/.local/share/chain-webhooks");
  expect(asUser(1000, { ...home, XDG_DATA_HOME: "/data/ada" })).toBe("/data/ada/chain-webhooks");
  expect(asUser(1000, { ...home, XDG_DATA_HOME: "relative" })).toBe("/home/ada/.local/share/chain-webhooks");
  expect(asUser(0, { ...home, XDG_DATA_HOME: "/data/ada" })).toBe("/var/lib/chain-webhooks");
  expect(asUser(1000, { ...home, DATA_DIR: "/elsewhere" })).toBe("/elsewhere");
});

test("every setting is read", () => {
  const env = {
    CELL: "north-1",
    HOST: "0.0.0.0",
    PORT: "8080",
    METRICS_PORT: "9464",
    METRICS_HOST: "0.0.0.0",
    DATABASE_URL: "postgres://u:p@db/x",
    DATA_DIR: "/data",
    CHAINS: JSON.stringify([chain]),
    ALLOW_PRIVATE_TARGETS: "true",
    NAME_SERVERS: "192.0.2.1, [2001:db8::1]:5353",
    EGRESS_PROXY: "http://acme:p%40ss@proxy.internal:3128",
    EGRESS_PROXY_RESOLVES: "true",
    SECRET_KEY: "0".repeat(64),
    ROLES: "api, deliver",
    LOG_LEVEL: "debug",
    LEASE_SECONDS: "30",
    DELIVERY_TIMEOUT_SECONDS: "15",
    RETRY_SCHEDULE: "30s, 5m,2h,1d",
    INACTIVE_AFTER_DAYS: "3",
    RETENTION_DAYS: "90",
    CORS_ORIGINS: "https://app.example.com, http://localhost:5173",
    RATE_LIMIT_KEY: "50",
    RATE_LIMIT_ADDRESS: "0",
    RATE_LIMIT_SECONDS: "60",
    TRUST_PROXY: "loopback, 10.0.0.0/8",
    WEBHOOK_QUOTA: "5",
    ADDRESS_QUOTA: "500",
    ANY_ADDRESS_QUOTA: "7",
    COMPARISON_QUOTA: "9",
    ABI_QUOTA: "11",
    MAX_CONCURRENT_REQUESTS: "20",
    MAX_CONNECTIONS: "30",
  };
  expect(readConfig(env)).toEqual({
    cell: "north-1",
    host: "0.0.0.0",
    port: 8080,
    metrics: { host: "0.0.0.0", port: 9464 },
    databaseUrl: "postgres://u:p@db/x",
    dataDir: "/data",
    chains: [{ ...chain, name: "Chain 5", traces: false, finality: "finalized", pollMs: 1000 }],
    allowPrivateTargets: true,
    allowHttpTargets: true,
    nameServers: ["192.0.2.1", "[2001:db8::1]:5353"],
    egressProxy: { url: "http://acme:p%40ss@proxy.internal:3128", resolvesNames: true },
    keyring: expect.objectContaining({ keyIds: [expect.any(String)] }),
    roles: new Set(["api", "deliver"]),
    logLevel: "debug",
    tracing: false,
    leaseSeconds: 30,
    limits: {
      perKey: { requests: 50, seconds: 60 },
      perAddress: undefined,
      trustProxy: ["loopback", "10.0.0.0/8"],
      quotas: { webhooks: 5, addresses: 500, anyAddress: 7, comparisons: 9, abiBytes: 11 },
      concurrentRequests: 20,
      connections: 30,
    },
    periods: {
      timeoutMs: 15_000,
      retryPausesMs: [30_000, 300_000, 7_200_000, 86_400_000],
      inactiveAfterDays: 3,
      retentionDays: 90,
    },
    corsOrigins: ["https://app.example.com", "http://localhost:5173"],
  });
});

test("chains can be in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "chain-webhooks-config-"));
  writeFileSync(join(folder, "chains.json"), JSON.stringify([chain]));
  expect(readConfig({ CHAINS: `@${folder}/chains.json` }).chains[0]?.chainId).toBe("5");
  rmSync(folder, { recursive: true });
});

test.each([
  ["CELL", "North"],
  ["CELL", "-a"],
  ["CELL", "a".repeat(33)],
  ["CELL", "a b"],
  ["PORT", "http"],
  ["PORT", "65536"],
  ["METRICS_PORT", "on"],
  ["DATABASE_URL", "mysql://x"],
  ["DATABASE_URL", "postgres://u:p@[x/db"],
  ["DATABASE_URL", "postgres://db/x?sslmode=verifyfull"],
  ["DATABASE_URL", "postgres://db/x?sslmod=require"],
  ["DATABASE_URL", "postgres://db/x?sslMode=require"],
  ["DATABASE_URL", "postgres://db/x?sslmode=verify-full&sslrootcert=/nowhere/ca.pem"],
  ["DATABASE_URL", "postgres://db/x?sslmode=verify-full&sslrootcert=system"],
  ["DATABASE_URL", `postgres://db/x?sslmode=verify-full&sslkey=${import.meta.filename}`],
  ["DATABASE_URL", "postgres://db/x?sslnegotiation=at-once"],
  ["DATABASE_URL", "postgres://db/x?uselibpqcompat=true&sslmode=verify-ca"],
  ["CHAINS", "{"],
  ["CHAINS", "[]"],
  ["CHAINS", "@/nowhere/chains.json"],
  ["CHAINS", JSON.stringify([chain, chain])],
  ["ALLOW_PRIVATE_TARGETS", "maybe"],
  ["ALLOW_HTTP_TARGETS", "maybe"],
  ["NAME_SERVERS", "dns.example"],
  ["EGRESS_PROXY", "proxy.internal:3128"],
  ["EGRESS_PROXY", "socks5://proxy.internal:1080"],
  ["EGRESS_PROXY", "http://proxy.internal/path"],
  ["EGRESS_PROXY", "http://acme:100%@proxy.internal:3128"],
  ["EGRESS_PROXY", "http://acme%4:1@proxy.internal:3128"],
  ["EGRESS_PROXY_RESOLVES", "true"],
  ["NAME_SERVERS", "192.0.2.1:0"],
  ["NAME_SERVERS", "192.0.2.1:65536"],
  ["NAME_SERVERS", "[2001:db8::1]:65536"],
  ["SECRET_KEY", "short"],
  ["SECRET_KEY", `${"0".repeat(64)},`],
  ["SECRET_KEY", `${"0".repeat(64)},${"0".repeat(64)}`],
  ["ROLES", "api,cook"],
  ["BLOCKS", "http://127.0.0.1:4222"],
  ["BLOCKS", "nats://"],
  ["BLOCKS", "nats://one:4222,two:port"],
  ["BLOCKS", "nats://%zz:password@one"],
  ["LOG_LEVEL", "loud"],
  ["LEASE_SECONDS", "0"],
  ["DELIVERY_TIMEOUT_SECONDS", "0"],
  ["DELIVERY_TIMEOUT_SECONDS", "61"],
  ["DELIVERY_TIMEOUT_SECONDS", "10s"],
  ["RETRY_SCHEDULE", "10"],
  ["RETRY_SCHEDULE", "0s"],
  ["RETRY_SCHEDULE", "8d"],
  ["RETRY_SCHEDULE", "10s,,1m"],
  ["RETRY_SCHEDULE", "1.5h"],
  ["RETRY_SCHEDULE", Array(31).fill("1s").join()],
  ["RETRY_SCHEDULE", "6d,6d,6d"],
  ["INACTIVE_AFTER_DAYS", "0"],
  ["INACTIVE_AFTER_DAYS", "366"],
  ["RETENTION_DAYS", "0"],
  ["RETENTION_DAYS", "366"],
  ["RATE_LIMIT_KEY", "-1"],
  ["RATE_LIMIT_ADDRESS", "many"],
  ["RATE_LIMIT_SECONDS", "0"],
  ["TRUST_PROXY", "true"],
  ["TRUST_PROXY", "10.0.0.0/8, proxy.example.com"],
  ["WEBHOOK_QUOTA", "1.5"],
  ["ADDRESS_QUOTA", "all"],
  ["MAX_CONCURRENT_REQUESTS", "0"],
  ["MAX_CONNECTIONS", "0"],
  ["CORS_ORIGINS", "app.example.com"],
  ["CORS_ORIGINS", "https://app.example.com/"],
  ["CORS_ORIGINS", "https://app.example.com,*"],
  ["CORS_ORIGINS", "https://App.example.com"],
  ["CORS_ORIGINS", "null"],
])("%s=%s is refused in a sentence that names the variable", (name, value) => {
  const read = () => readConfig({ [name]: value });
  expect(read).toThrow(expect.objectContaining({ code: "config_invalid" }));
  expect(read).toThrow(new RegExp(`^${name}.*\\.$`));
});

test.each([
  ["BLOCKS_MAX_AGE_HOURS", "0"],
  ["BLOCKS_MAX_MB", "1GB"],
  ["BLOCKS_REPLICAS", "6"],
  ["BLOCKS_CREDENTIALS", "/no/such/file"],
  ["BLOCKS_CA", "/no/such/file"],
])("%s=%s is refused where there is a stream", (name, value) => {
  expect(() => readConfig({ BLOCKS: "nats://one", [name]: value })).toThrow(new RegExp(`^${name} must be .*\\.$`));
});

test("BLOCKS names the servers, with a user and password or a token", () => {
  const blocks = (BLOCKS: string) => readConfig({ ROLES: "read", BLOCKS }).blocks;
  expect(blocks("nats://one,two:5222, [2001:db8::1]:4223")?.servers).toEqual([
    "one:4222",
    "two:5222",
    "[2001:db8::1]:4223",
  ]);
  expect(blocks("tls://me:p%40ss@one")).toMatchObject({ user: "me", password: "p@ss", tls: true });
  expect(blocks("nats://t0ken@one")).toMatchObject({ token: "t0ken", tls: false });
  expect(() => readConfig({ ROLES: "read" })).toThrow(/^BLOCKS must be set for the role read/);
  expect(() => readConfig({ BLOCKS: "nats://one", BLOCKS_CERT: "package.json" })).toThrow(
    /^BLOCKS_CERT and BLOCKS_KEY/,
  );
  expect(() => readConfig({ BLOCKS: "http://me:s3cret@one" })).not.toThrow("s3cret");
});

test("in production the service needs a key for signing secrets, a follower alone does not", () => {
  expect(() => readConfig({ NODE_ENV: "production" })).toThrow(/^SECRET_KEY must be set when NODE_ENV is production/);
  expect(() => readConfig({ NODE_ENV: "production", ROLES: "deliver" })).toThrow(/^SECRET_KEY must/);
  expect(readConfig({ NODE_ENV: "production", SECRET_KEY: newKey() }).keyring.keyIds).toHaveLength(1);
  expect(readConfig({ NODE_ENV: "production", ROLES: "follow" }).keyring.keyIds).toEqual([]);
});

test("the error for a wrong key does not contain it", () => {
  const wrong = `${newKey().slice(0, 40)}`;
  expect(() => readConfig({ SECRET_KEY: wrong })).toThrow(/^SECRET_KEY must be 32 random bytes/);
  expect(() => readConfig({ SECRET_KEY: wrong })).not.toThrow(wrong);
});

test("the error for a wrong DATABASE_URL does not contain its password", () => {
  for (const place of ["[db/x", "db/x?sslmod=require", "db/x?sslrootcert=/nowhere", "db/x?sslnegotiation=at-once"]) {
    const read = () => readConfig({ DATABASE_URL: `postgres://user:p4ssw0rd@${place}` });
    expect(read).toThrow(/^DATABASE_URL must |^DATABASE_URL cannot /);
    expect(read).not.toThrow(/p4ssw0rd/);
  }
});

test("every sslmode of pg is accepted", () => {
  for (const mode of ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"]) {
    const DATABASE_URL = `postgres://db/x?sslmode=${mode}`;
    expect(readConfig({ DATABASE_URL })).toMatchObject({ databaseUrl: DATABASE_URL });
  }
});

test("retention that could end before the last retry is refused, with both settings and the days it takes", () => {
  expect(() => readConfig({ RETENTION_DAYS: "3" })).toThrow(
    "RETRY_SCHEDULE must end within RETENTION_DAYS, which is 3. Its pauses, doubled as Retry-After may ask, take 4 days.",
  );
  expect(readConfig({ RETENTION_DAYS: "1", RETRY_SCHEDULE: "1m,1h,10h" }).periods.retentionDays).toBe(1);
  expect(readConfig({ RETENTION_DAYS: "4" }).periods.retentionDays).toBe(4);
});
