/** The process: reads the configuration, runs the service, and ends in order on SIGTERM and SIGINT. */
import { pino } from "pino";
import { ConfigError, readConfig } from "./config.ts";
import { startService } from "./service.ts";

/** What is under way may take so long to finish; then the process ends all the same. */
const patienceMs = 14_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  const service = await startService(config, log);
  const { databaseUrl, dataDir, roles, chains, allowPrivateTargets } = config;
  if (!databaseUrl)
    log.info(`DATABASE_URL is not set: using an embedded PostgreSQL that keeps its data in ${dataDir}.`);
  if (allowPrivateTargets)
    log.warn("ALLOW_PRIVATE_TARGETS is set: webhooks may call private addresses, and by plain http.");
  log.info(
    {
      roles: [...roles],
      chains: chains.map(({ chainId }) => chainId),
      url: service.url,
      docs: service.url && `${service.url}/docs`,
    },
    "started",
  );
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      log.info({ signal }, "stopping: finishing what is under way");
      setTimeout(() => {
        log.error("stopping took too long; ending now");
        process.exit(1);
      }, patienceMs).unref();
      service.stop().then(
        () => {
          log.info("stopped");
          process.exit(0);
        },
        (err: unknown) => {
          log.error({ err }, "stopping failed");
          process.exit(1);
        },
      );
    });
  }
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) console.error(error.message);
  else console.error(error);
  process.exit(1);
});
