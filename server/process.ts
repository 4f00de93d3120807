/** The process: reads the configuration, runs the service, and ends in order when it is told to. */
import { readConfig } from "./config.ts";
import { exitCodeOf, plainMessage } from "./errors.ts";
import { createLog } from "./log.ts";
import { startService } from "./service.ts";
import { waitToBeTold } from "./shutdown-signal.ts";

/** What is under way may take so long to finish; then the process ends all the same. */
const patienceMs = 14_000;

/**
 * Runs the service until SIGINT or SIGTERM. What keeps it from starting is told on the standard error: in a sentence where
 * the configuration or the database is at fault.
 *
 * @param env such as `process.env`
 * @returns the exit code: 0 when it ended in order, 1 when it could not start or stop, 3 when a package is missing
 */
export async function runService(env: Parameters<typeof readConfig>[0]): Promise<number> {
  const told = waitToBeTold();
  const ending = new AbortController();
  void told.why.then(() => ending.abort());
  try {
    const config = readConfig(env);
    const log = createLog(config.logLevel);
    const service = await startService(config, log, ending.signal);
    const { databaseUrl, dataDir, roles, chains, keyring, allowPrivateTargets, allowHttpTargets } = config;
    if (!databaseUrl)
      log.info(`DATABASE_URL is not set: using an embedded PostgreSQL that keeps its data in ${dataDir}.`);
    if (keyring.keyIds.length === 0)
      log.warn("SECRET_KEY is not set: new signing secrets are kept in the database as they are.");
    if (allowPrivateTargets)
      log.warn("ALLOW_PRIVATE_TARGETS is set: webhooks may call private addresses, and by plain http.");
    else if (allowHttpTargets) log.warn("ALLOW_HTTP_TARGETS is set: webhooks may be called by plain http.");
    log.info(
      {
        roles: [...roles],
        chains: chains.map(({ chainId }) => chainId),
        url: service.url,
        docs: service.url && `${service.url}/docs`,
        metrics: service.metricsUrl && `${service.metricsUrl}/metrics`,
      },
      "started",
    );
    log.info({ signal: await told.why }, "stopping: finishing what is under way");
    const late = setTimeout(() => {
      log.error("stopping took too long; ending now");
      process.exit(1);
    }, patienceMs).unref();
    return await service
      .stop()
      .then(
        () => {
          log.info("stopped");
          return 0;
        },
        (err: unknown) => {
          log.error({ err }, "stopping failed");
          return 1;
        },
      )
      .finally(() => clearTimeout(late));
  } catch (error) {
    // It was told to end while it waited for its database.
    if (ending.signal.aborted && (error as Error).name === "AbortError") return 0;
    console.error(sentenceFor(error) ?? error);
    return exitCodeOf(error);
  } finally {
    told.forget();
  }
}

/** What an operator can mend is told without a stack trace. */
function sentenceFor(error: unknown): string | undefined {
  const plain = plainMessage(error);
  if (plain !== undefined) return plain;
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === "EADDRINUSE") return `Port ${port} of ${address} is in use; set another PORT or METRICS_PORT.`;
  if (code === "EACCES" && port !== undefined)
    return `Port ${port} may not be used by this user; set another PORT or METRICS_PORT.`;
  // A database that is away is waited for, so that only what we listen on is left.
  if (code !== undefined && /^(EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/.test(code))
    return `HOST and METRICS_HOST must be addresses of this machine: ${(error as Error).message}.`;
  return undefined;
}
