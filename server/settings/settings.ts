/**
 * Every setting of the service: its name, default, meaning and parser. `readConfig`, `serve --help` and the configuration
 * reference come from this table.
 */

import { edits } from "../base/edits.ts";
import { parseBlocksAddress, readableFile } from "./blocks.ts";
import { cells } from "./cells.ts";
import { chains } from "./chains.ts";
import { postgresUrl } from "./database-url.ts";
import { parseKeyring } from "./keyring.ts";
import {
  anyText,
  cellName,
  corsOrigins,
  durations,
  flag,
  httpUrl,
  listOf,
  nameServers,
  oneOf,
  type Parse,
  port,
  proxyUrl,
  trustProxy,
  wholeNumber,
} from "./parsers.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable of the environment. An empty one counts as not set. */
type Setting<T> = {
  readonly name: string;
  /** What it does, in one or two sentences. */
  readonly meaning: string;
  /** The value when it is not set, as one would set it, or in words. */
  readonly fallback: string;
  /** @throws {ServiceError} `config_invalid` */
  read(env: Environment): T;
};

/** With a default. */
function setting<T>(name: string, fallback: string, parse: Parse<T>, meaning: string): Setting<T> {
  return { name, meaning, fallback, read: (env) => parse(env[name] || fallback, name) };
}

/** Without a default. @param unset what applies then, in words */
function optional<T>(name: string, unset: string, parse: Parse<T>, meaning: string): Setting<T | undefined> {
  return { name, meaning, fallback: unset, read: (env) => (env[name] ? parse(env[name], name) : undefined) };
}

const roles = ["api", "follow", "deliver", "read"] as const;
/** A part of the service that a process can take. */
export type Role = (typeof roles)[number];

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

const quota = wholeNumber(0, 1_000_000_000);

export const settings = {
  port: setting("PORT", "3000", port, "Port of the API; 0 picks a free one."),
  host: setting("HOST", "127.0.0.1", anyText, "Address that the API listens on."),
  metricsPort: optional(
    "METRICS_PORT",
    "no metrics",
    port,
    "Port of `/metrics`, `/healthz` and `/readyz`, in every role.",
  ),
  metricsHost: setting("METRICS_HOST", "127.0.0.1", anyText, "Address that metrics and health listen on."),
  roles: setting(
    "ROLES",
    "api,follow,deliver",
    listOf(roles),
    "What this process does: any of `api`, `follow`, `deliver`, and with `BLOCKS` also `read`.",
  ),
  databaseUrl: optional(
    "DATABASE_URL",
    "an embedded PostgreSQL in `DATA_DIR`",
    postgresUrl,
    "PostgreSQL 14 or later, as a `postgres://` URL.",
  ),
  cell: optional(
    "CELL",
    "the one unnamed cell",
    cellName,
    "Name of the cell that this process and its database belong to. Set it once there are several.",
  ),
  cells: optional(
    "CELLS",
    "none",
    cells,
    "For `chain-webhooks-service cells`: every cell's name and database, as JSON, or `@` and the path of a JSON file.",
  ),
  dataDir: optional(
    "DATA_DIR",
    "`~/.local/share/chain-webhooks`, or below `XDG_DATA_HOME`; for root `/var/lib/chain-webhooks`",
    anyText,
    "Where the embedded PostgreSQL keeps its data.",
  ),
  chains: optional(
    "CHAINS",
    "Avalanche C-Chain and Fuji",
    chains,
    "The chains to follow, as JSON, or `@` and the path of a JSON file.",
  ),
  secretKey: optional(
    "SECRET_KEY",
    "secrets are not encrypted",
    parseKeyring,
    "Encrypts signing secrets and webhooks' headers in the database: 32 random bytes in base64 or hexadecimal. In a comma-separated list the first key encrypts and all decrypt.",
  ),
  nodeEnv: optional("NODE_ENV", "not production", anyText, "`production` makes `SECRET_KEY` mandatory."),
  allowPrivateTargets: setting(
    "ALLOW_PRIVATE_TARGETS",
    "false",
    flag,
    "For development: also call private addresses, plain http, and ports of databases.",
  ),
  allowHttpTargets: setting("ALLOW_HTTP_TARGETS", "false", flag, "Also call endpoints by plain http."),
  nameServers: optional(
    "NAME_SERVERS",
    "the system's",
    nameServers,
    "DNS servers that resolve endpoints, such as `192.0.2.1,[2001:db8::1]:53`.",
  ),
  egressProxy: optional(
    "EGRESS_PROXY",
    "endpoints are called directly",
    proxyUrl,
    "A proxy through which all endpoints are called, by CONNECT: `http://` or `https://`, with a user and a password if need be.",
  ),
  egressProxyResolves: setting(
    "EGRESS_PROXY_RESOLVES",
    "false",
    flag,
    "`EGRESS_PROXY` resolves the names of endpoints, and must itself refuse private addresses.",
  ),
  blocks: optional(
    "BLOCKS",
    "blocks come from nodes",
    parseBlocksAddress,
    "NATS servers through which `read` hands checked blocks to `follow`, such as `nats://one:4222,two:4222`; `tls://` demands TLS.",
  ),
  blocksCredentials: optional(
    "BLOCKS_CREDENTIALS",
    "the user and password, or the token, in `BLOCKS`",
    readableFile,
    "A `.creds` file of NATS, or a file with an nkey's seed.",
  ),
  blocksCa: optional(
    "BLOCKS_CA",
    "the system's",
    readableFile,
    "Certificate authorities of the NATS servers, a PEM file.",
  ),
  blocksCert: optional("BLOCKS_CERT", "none", readableFile, "Our certificate for the NATS servers, a PEM file."),
  blocksKey: optional("BLOCKS_KEY", "none", readableFile, "The key of that certificate, a PEM file."),
  blocksMaxAgeHours: setting(
    "BLOCKS_MAX_AGE_HOURS",
    "24",
    wholeNumber(1, 8_760),
    "How long NATS keeps a block. `read` sets this and the next two.",
  ),
  blocksMaxMegabytes: setting(
    "BLOCKS_MAX_MB",
    "1024",
    wholeNumber(1, 10_000_000),
    "How many MiB of each chain's blocks NATS keeps, compressed.",
  ),
  blocksReplicas: setting("BLOCKS_REPLICAS", "1", wholeNumber(1, 5), "On how many NATS servers each block is stored."),
  leaseSeconds: setting(
    "LEASE_SECONDS",
    "10",
    wholeNumber(2, 300),
    "How long the work of a dead process waits before another process takes it over. Operational events wait for a minute, if that is longer.",
  ),
  deliveryTimeoutSeconds: setting(
    "DELIVERY_TIMEOUT_SECONDS",
    "10",
    wholeNumber(1, 60),
    "How long an attempt waits for an endpoint's whole answer.",
  ),
  retrySchedule: setting(
    "RETRY_SCHEDULE",
    "10s,1m,5m,10m,30m,2h,6h,12h,24h",
    durations({ from: 1_000, to: 7 * 86_400_000, most: 30 }),
    "The pause before each retry of a notification, in s, m, h or d, separated by commas.",
  ),
  inactiveAfterDays: setting(
    "INACTIVE_AFTER_DAYS",
    "5",
    wholeNumber(1, 365),
    "After how many days in which every attempt failed a webhook becomes inactive.",
  ),
  retentionDays: setting(
    "RETENTION_DAYS",
    "30",
    wholeNumber(1, 365),
    "How many days notifications and their attempts are kept. A lower value takes effect a day after the last process with a higher one ends.",
  ),
  rateLimitKey: setting(
    "RATE_LIMIT_KEY",
    "2000",
    quota,
    "Requests that a key may send in `RATE_LIMIT_SECONDS`; 0 for no limit.",
  ),
  rateLimitAddress: setting(
    "RATE_LIMIT_ADDRESS",
    "500",
    quota,
    "The same for a client address without a valid key; 0 for no limit.",
  ),
  rateLimitSeconds: setting("RATE_LIMIT_SECONDS", "10", wholeNumber(1, 3_600), "Window of both rate limits."),
  trustProxy: setting(
    "TRUST_PROXY",
    "0",
    trustProxy,
    "How many proxies are in front of the API, or a list of their networks. Their `X-Forwarded-For` is trusted.",
  ),
  webhookQuota: setting("WEBHOOK_QUOTA", "10000", quota, "Webhooks that an account may have."),
  addressQuota: setting("ADDRESS_QUOTA", "10000000", quota, "Addresses that an account's webhooks may watch together."),
  anyAddressQuota: setting("ANY_ADDRESS_QUOTA", "0", quota, "Webhooks that an account may have with `anyAddress`."),
  comparisonQuota: setting(
    "COMPARISON_QUOTA",
    "1000",
    quota,
    "Comparisons that the conditions of an account's webhooks may have together.",
  ),
  abiQuota: setting(
    "ABI_QUOTA",
    "16777216",
    quota,
    "Bytes of JSON that the events in `abi` of an account's webhooks may have together.",
  ),
  historyBlocks: optional(
    "HISTORY_BLOCKS_PER_DAY",
    "any number",
    wholeNumber(0, 1_000_000_000_000),
    "Blocks of the past that an account may have read within 24 hours, by `fromBlock` and by replays.",
  ),
  maxConcurrentRequests: setting(
    "MAX_CONCURRENT_REQUESTS",
    "40",
    wholeNumber(1, 100_000),
    "Requests that the API handles at the same time; more get a 503.",
  ),
  maxConnections: setting(
    "MAX_CONNECTIONS",
    "10000",
    wholeNumber(1, 1_000_000),
    "Connections that the API keeps open.",
  ),
  corsOrigins: optional(
    "CORS_ORIGINS",
    "none",
    corsOrigins,
    "Origins whose pages may call the API from a browser, such as `https://app.example.com`, separated by commas; `*` for any.",
  ),
  logLevel: setting("LOG_LEVEL", "info", oneOf(logLevels), `One of ${logLevels.join(", ")}.`),
  otlpEndpoint: optional(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "no traces",
    httpUrl,
    "Where traces go, by OTLP over HTTP in JSON. OpenTelemetry's other `OTEL_` variables hold, too.",
  ),
} satisfies Record<string, Setting<unknown>>;

/** The first setting of each group in help, and the group's heading. */
const groups: ReadonlyMap<string, string> = new Map([
  ["PORT", "Listening, and what the process does"],
  ["DATABASE_URL", "The database"],
  ["CHAINS", "Chains"],
  ["SECRET_KEY", "Security"],
  ["BLOCKS", "Blocks through NATS"],
  ["LEASE_SECONDS", "Delivery, and how long things are kept"],
  ["RATE_LIMIT_KEY", "Limits of clients and accounts"],
  ["CORS_ORIGINS", "Browsers, log and traces"],
]);

/** The settings as `--help` lists them, in groups: one name and one sentence each, in lines of at most 132 characters. */
export function settingsHelp(): string {
  const all: readonly Setting<unknown>[] = Object.values(settings);
  const column = 24;
  return all
    .map(({ name, meaning, fallback }) => {
      const heading = groups.has(name) ? `\n ${groups.get(name)}:\n` : "";
      return heading + entry(name, `${meaning} Default: ${fallback}`, column);
    })
    .join("\n")
    .replace(/^\n/, "");
}

function entry(name: string, text: string, column: number): string {
  const lines = [`  ${name} `.padEnd(column)];
  for (const word of text.replaceAll("`", "").split(" ")) {
    const last = lines.at(-1) ?? "";
    const longer = last.length <= column && lines.length === 1 ? `${last}${word}` : `${last} ${word}`;
    if (longer.length <= 132) lines[lines.length - 1] = longer;
    else lines.push(" ".repeat(column) + word);
  }
  return lines.join("\n");
}

/** Two letters differ in long names, one in short ones: HOME is no HOST. */
const longName = 8;

/** @returns a sentence for each */
export function misspeltSettings(env: Environment): string[] {
  const known = Object.values(settings).map(({ name }) => name);
  return Object.entries(env).flatMap(([given, value]) => {
    if (!value || known.includes(given)) return [];
    const meant = known.find((name) => edits(given.toUpperCase(), name) <= (name.length < longName ? 1 : 2));
    return meant === undefined ? [] : [`${given} is not a setting and has no effect. Did you mean ${meant}?`];
  });
}
