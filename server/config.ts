/** The service's configuration, from the environment. A wrong value is refused in a sentence that names the variable. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ChainConfig, defaultChains } from "./chain/config.ts";
import { ChainConfigError, parseChains } from "./chain/parse-chains.ts";
import { ConfigError, type Environment, flag, oneOf, wholeNumber } from "./environment.ts";
import { type Limits, readLimits } from "./limits.ts";

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
  roles: ReadonlySet<Role>;
  logLevel: (typeof logLevels)[number];
  /** How long the work of a process that died waits before another takes it over. */
  leaseSeconds: number;
  limits: Limits;
};

/** @param env such as `process.env` @throws ConfigError */
export function readConfig(env: Environment): Config {
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
    roles: new Set(roleList(env)),
    logLevel: oneOf(env, "LOG_LEVEL", logLevels, "info"),
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
  return env.DATABASE_URL;
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
