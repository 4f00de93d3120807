/** The service's configuration, read from the environment by the table of settings. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { BlocksConfig } from "./blocks.ts";
import { type ChainConfig, defaultChains } from "./chains.ts";
import { type Keyring, noKeys } from "./keyring.ts";
import { type Limits, readLimits } from "./limits.ts";
import { invalid } from "./parsers.ts";
import { type Periods, readPeriods } from "./periods.ts";
import { type Environment, type LogLevel, type Role, settings } from "./settings.ts";

/** The operator's proxy for the way out. */
export type EgressProxy = {
  /** `http://` or `https://`, with a user and a password where it wants them. */
  url: string;
  /** Whether it resolves endpoints' names, and so must itself refuse private addresses. */
  resolvesNames: boolean;
};

export type Config = {
  /** The process's cell; undefined for the one unnamed. */
  cell?: string | undefined;
  host: string;
  port: number;
  /** The address of metrics and health, for operators only; undefined for none. */
  metrics: { host: string; port: number } | undefined;
  /** Undefined: an embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  dataDir: string;
  chains: readonly ChainConfig[];
  /** Also sends to private addresses and by plain http. */
  allowPrivateTargets: boolean;
  /** Also sends by plain http. */
  allowHttpTargets: boolean;
  /** Resolve the names of endpoints; undefined for the system's. */
  nameServers: readonly string[] | undefined;
  /** Leads to all endpoints. */
  egressProxy?: EgressProxy | undefined;
  /** Encrypts signing secrets and webhooks' headers in the database. */
  keyring: Keyring;
  roles: ReadonlySet<Role>;
  /** The stream of checked blocks; undefined if followers read from nodes only. */
  blocks?: BlocksConfig | undefined;
  logLevel: LogLevel;
  /** Reports each block's way to OpenTelemetry; the OTEL_ variables say where and how. */
  tracing?: boolean;
  /** How long the work of a dead process waits before another process takes it over. */
  leaseSeconds: number;
  limits: Limits;
  /** How long the service waits, retries and keeps. */
  periods: Periods;
  /** Whose pages may call the API from a browser; undefined for none. */
  corsOrigins?: "*" | readonly string[] | undefined;
};

/** @param env such as `process.env` @throws {ServiceError} `config_invalid`, naming the variable */
export function readConfig(env: Environment): Config {
  const roles = new Set(settings.roles.read(env));
  const metricsPort = settings.metricsPort.read(env);
  const allowPrivateTargets = settings.allowPrivateTargets.read(env);
  return {
    cell: settings.cell.read(env),
    host: settings.host.read(env),
    port: settings.port.read(env),
    metrics: metricsPort === undefined ? undefined : { host: settings.metricsHost.read(env), port: metricsPort },
    databaseUrl: settings.databaseUrl.read(env),
    dataDir: dataDir(env),
    chains: settings.chains.read(env) ?? defaultChains,
    allowPrivateTargets,
    allowHttpTargets: settings.allowHttpTargets.read(env) || allowPrivateTargets,
    nameServers: settings.nameServers.read(env),
    egressProxy: egressProxy(env),
    keyring: readKeyring(env, roles.has("api") || roles.has("deliver")),
    roles,
    blocks: readBlocks(env, roles),
    logLevel: settings.logLevel.read(env),
    tracing: tracing(env),
    leaseSeconds: settings.leaseSeconds.read(env),
    limits: readLimits(env),
    periods: readPeriods(env),
    corsOrigins: settings.corsOrigins.read(env),
  };
}

function egressProxy(env: Environment): Config["egressProxy"] {
  const [url, resolvesNames] = [settings.egressProxy.read(env), settings.egressProxyResolves.read(env)];
  if (url !== undefined) return { url, resolvesNames };
  if (resolvesNames) throw invalid("EGRESS_PROXY_RESOLVES must come with EGRESS_PROXY.");
  return undefined;
}

/**
 * @returns where the embedded PostgreSQL keeps its data: by default one place for each user, whatever the working folder. Root's home is
 *   inaccessible to the user that the server runs as.
 * @throws {ServiceError} `config_invalid`, for a user who needs it and has no home
 */
export function dataDir(env: Environment): string {
  const set = settings.dataDir.read(env);
  if (set !== undefined) return set;
  if (process.getuid?.() === 0) return "/var/lib/chain-webhooks";
  const shared = env.XDG_DATA_HOME ?? "";
  // The specification wants a relative path to be ignored.
  if (isAbsolute(shared)) return join(shared, "chain-webhooks");
  const home = homeOf(env);
  if (home !== undefined) return join(home, ".local", "share", "chain-webhooks");
  if (databaseUrl(env) !== undefined) return "";
  throw invalid("DATA_DIR must be set, since this user has no home folder; or set DATABASE_URL.");
}

function homeOf(env: Environment): string | undefined {
  try {
    return env.HOME || homedir() || undefined;
  } catch {
    // A user without an entry in /etc/passwd, as in some containers.
    return undefined;
  }
}

/** @throws {ServiceError} `config_invalid` */
export const databaseUrl = (env: Environment): string | undefined => settings.databaseUrl.read(env);

/** @param needed whether secrets are read or written @throws {ServiceError} `config_invalid` */
export function readKeyring(env: Environment, needed: boolean): Keyring {
  const keyring = settings.secretKey.read(env);
  if (!keyring && needed && settings.nodeEnv.read(env) === "production")
    throw invalid(
      "SECRET_KEY must be set when NODE_ENV is production, since it encrypts signing secrets in the database. Create one with `chain-webhooks-service secrets new-key`.",
    );
  return keyring ?? noKeys;
}

/** @throws {ServiceError} `config_invalid` */
function readBlocks(env: Environment, roles: ReadonlySet<Role>): BlocksConfig | undefined {
  const address = settings.blocks.read(env);
  if (!address && roles.has("read"))
    throw invalid("BLOCKS must be set for the role read, such as nats://127.0.0.1:4222.");
  if (!address) return undefined;
  const credentialsFile = settings.blocksCredentials.read(env);
  if (credentialsFile !== undefined && (address.user ?? address.token) !== undefined)
    throw invalid("BLOCKS must hold no user or token where BLOCKS_CREDENTIALS is set.");
  const [certFile, keyFile] = [settings.blocksCert.read(env), settings.blocksKey.read(env)];
  if ((certFile === undefined) !== (keyFile === undefined))
    throw invalid("BLOCKS_CERT and BLOCKS_KEY must be set together, or neither.");
  return {
    ...{ ...address, credentialsFile, certFile, keyFile },
    caFile: settings.blocksCa.read(env),
    maxAgeHours: settings.blocksMaxAgeHours.read(env),
    maxMegabytes: settings.blocksMaxMegabytes.read(env),
    replicas: settings.blocksReplicas.read(env),
  };
}

/** Follows the rules of OpenTelemetry's SDKs. */
function tracing(env: Environment): boolean {
  const ofOtel = (name: string) => env[`OTEL_${name}`] || undefined;
  const isOff = ofOtel("SDK_DISABLED")?.toLowerCase() === "true" || ofOtel("TRACES_EXPORTER") === "none";
  const forTraces = ofOtel("EXPORTER_OTLP_TRACES_ENDPOINT");
  if (isOff || !settings.otlpEndpoint.read(forTraces ? { [settings.otlpEndpoint.name]: forTraces } : env)) return false;
  const protocol = ofOtel("EXPORTER_OTLP_TRACES_PROTOCOL") ?? ofOtel("EXPORTER_OTLP_PROTOCOL") ?? "http/json";
  if (protocol !== "http/json")
    throw invalid(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, not ${JSON.stringify(protocol)}.`);
  return true;
}
