/** The service's configuration, from the environment. A wrong value is refused in a sentence that names the variable. */
import { Resolver } from "node:dns";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ChainConfig, defaultChains } from "./chain/config.ts";
import { ChainConfigError, parseChains } from "./chain/parse-chains.ts";
import { ConfigError, type Environment, flag, oneOf, wholeNumber } from "./environment.ts";
import { type Limits, readLimits } from "./limits.ts";
import { databaseUrlFault } from "./store/database-url.ts";
import { type Keyring, KeyringError, parseKeyring } from "./store/webhooks/keyring.ts";

export { ConfigError } from "./environment.ts";

const roles = ["api", "follow", "deliver"] as const;
/** A part of the service that a process can take. */
export type Role = (typeof roles)[number];

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export type Config = {
  host: string;
  port: number;
  /** Where metrics and health are told, for operators only; not at all where there is no port. */
  metrics: { host: string; port: number } | undefined;
  /** Undefined: an embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  dataDir: string;
  chains: readonly ChainConfig[];
  /** Also sends to private addresses and by plain http. */
  allowPrivateTargets: boolean;
  /** Also sends by plain http. */
  allowHttpTargets: boolean;
  /** Asked for the addresses of endpoints; undefined for the system's. */
  nameServers: readonly string[] | undefined;
  /** What signing secrets are encrypted with where they are kept. */
  keyring: Keyring;
  roles: ReadonlySet<Role>;
  logLevel: (typeof logLevels)[number];
  /** Tells OpenTelemetry what is done for each block; the OTEL_ variables say where and how. */
  tracing?: boolean;
  /** How long the work of a process that died waits before another takes it over. */
  leaseSeconds: number;
  limits: Limits;
};

/** @param env such as `process.env` @throws ConfigError */
export function readConfig(env: Environment): Config {
  const roles = new Set(roleList(env));
  return {
    host: env.HOST || "127.0.0.1",
    port: wholeNumber(env, "PORT", 3000, 0, 65_535),
    metrics: env.METRICS_PORT
      ? { host: env.METRICS_HOST || "127.0.0.1", port: wholeNumber(env, "METRICS_PORT", 0, 0, 65_535) }
      : undefined,
    databaseUrl: databaseUrl(env),
    dataDir: dataDir(env),
    chains: chains(env),
    allowPrivateTargets: flag(env, "ALLOW_PRIVATE_TARGETS"),
    allowHttpTargets: flag(env, "ALLOW_HTTP_TARGETS") || flag(env, "ALLOW_PRIVATE_TARGETS"),
    nameServers: nameServers(env),
    keyring: readKeyring(env, roles.has("api") || roles.has("deliver")),
    roles,
    logLevel: oneOf(env, "LOG_LEVEL", logLevels, "info"),
    tracing: tracing(env),
    leaseSeconds: wholeNumber(env, "LEASE_SECONDS", 10, 2, 300),
    limits: readLimits(env),
  };
}

/** @returns where the embedded PostgreSQL keeps its data. Root's working folders are closed to the user that the server runs as. */
export function dataDir(env: Environment): string {
  return env.DATA_DIR || (process.getuid?.() === 0 ? "/var/lib/chain-webhooks" : join(process.cwd(), ".data"));
}

/** @throws ConfigError */
export function databaseUrl(env: Environment): string | undefined {
  if (!env.DATABASE_URL) return undefined;
  if (!/^postgres(ql)?:\/\//.test(env.DATABASE_URL)) throw new ConfigError("DATABASE_URL must be a postgres:// URL.");
  const fault = databaseUrlFault(env.DATABASE_URL);
  if (fault !== undefined) throw new ConfigError(`DATABASE_URL ${fault}.`);
  return env.DATABASE_URL;
}

/** @param env such as `process.env` @param needed whether secrets are read or written @throws ConfigError */
export function readKeyring(env: Environment, needed: boolean): Keyring {
  if (!env.SECRET_KEY && needed && env.NODE_ENV === "production")
    throw new ConfigError(
      "SECRET_KEY must be set where NODE_ENV is production, since it encrypts signing secrets in the database; `chain-webhooks secrets new-key` makes one.",
    );
  try {
    return parseKeyring(env.SECRET_KEY ?? "");
  } catch (error) {
    if (error instanceof KeyringError) throw new ConfigError(`SECRET_KEY ${error.message}.`);
    throw error;
  }
}

function nameServers(env: Environment): readonly string[] | undefined {
  if (!env.NAME_SERVERS) return undefined;
  const servers = env.NAME_SERVERS.split(",").map((server) => server.trim());
  try {
    new Resolver().setServers(servers);
  } catch {
    throw new ConfigError(
      "NAME_SERVERS must be a list of IP addresses, each with a port if need be, such as 192.0.2.1:53.",
    );
  }
  return servers;
}

function chains(env: Environment): readonly ChainConfig[] {
  if (!env.CHAINS) return defaultChains;
  const file = env.CHAINS.startsWith("@") ? env.CHAINS.slice(1) : undefined;
  try {
    return parseChains(file === undefined ? env.CHAINS : readFileSync(file, "utf8"), "CHAINS");
  } catch (error) {
    if (error instanceof ChainConfigError) throw new ConfigError(error.message);
    throw new ConfigError(`CHAINS names the file ${file}, which cannot be read: ${(error as Error).message}.`);
  }
}

function roleList(env: Environment): Role[] {
  const names = (env.ROLES || roles.join()).split(",").map((name) => name.trim());
  return names.map((name) => {
    const role = roles.find((known) => known === name);
    if (!role) throw new ConfigError(`ROLES must be a list of ${roles.join(", ")}, but holds ${JSON.stringify(name)}.`);
    return role;
  });
}

/** As OpenTelemetry's SDKs decide it. */
function tracing(env: Environment): boolean {
  const ofOtel = (name: string) => env[`OTEL_${name}`] || undefined;
  const endpoint = ofOtel("EXPORTER_OTLP_TRACES_ENDPOINT") ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = ofOtel("SDK_DISABLED")?.toLowerCase() === "true" || ofOtel("TRACES_EXPORTER") === "none";
  if (!endpoint || isOff) return false;
  if (!/^https?:\/\//.test(endpoint))
    throw new ConfigError("OTEL_EXPORTER_OTLP_ENDPOINT must be an http:// or https:// URL.");
  const protocol = ofOtel("EXPORTER_OTLP_TRACES_PROTOCOL") ?? ofOtel("EXPORTER_OTLP_PROTOCOL") ?? "http/json";
  if (protocol !== "http/json")
    throw new ConfigError(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, not ${JSON.stringify(protocol)}.`);
  return true;
}
