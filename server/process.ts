/** The process: reads the configuration, runs the service, and shuts down in order on a signal. */
import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { exitCodeOf, plainMessage, type ServiceError } from "./base/errors.ts";
import { createLog, type LogDestination } from "./base/log.ts";
import { waitForSignal } from "./base/shutdown-signal.ts";
import { onlyReads, startReading, startService } from "./service.ts";
import { readConfig } from "./settings/config.ts";
import { misspeltSettings } from "./settings/settings.ts";

/** How long after the longest exchange stopping may take. After that the process ends anyway. */
const courtesyMs = 4_000;

/** What a person at a terminal sees in place of JSON lines. */
export type Terminal = {
  /** Receives the log, line by line. */
  destination: LogDestination;
  /** Called once everything runs, in place of a line of the log. */
  started(urls: { url?: string | undefined; docs?: string | undefined; metrics?: string | undefined }): void;
};

/**
 * Runs the service until SIGINT or SIGTERM. The reason why it cannot start goes to standard error, in one sentence if the operator can
 * fix it.
 *
 * @param env such as `process.env`
 * @param terminal for a person; JSON lines go to standard output without it
 * @returns the exit code: 0 after an orderly shutdown, 1 when it could not start or stop, 3 when a package is missing, 4 when the embedded
 *   database died and could not be started again
 */
export async function runService(env: Parameters<typeof readConfig>[0], terminal?: Terminal): Promise<number> {
  const shutdown = waitForSignal();
  const ending = new AbortController();
  void shutdown.received.then(() => ending.abort());
  const losses: ServiceError[] = [];
  const onLost = (error: ServiceError) => {
    losses.push(error);
    ending.abort();
  };
  try {
    const config = readConfig(env);
    const log = createLog(config.logLevel, {
      cell: config.cell,
      ...(terminal && { destination: terminal.destination }),
    });
    countBuffersInHeap();
    for (const sentence of misspeltSettings(env)) log.warn(sentence);
    const service = onlyReads(config)
      ? await startReading(config, log)
      : await startService(config, log, { signal: ending.signal, onLost });
    const { databaseUrl, dataDir, roles, chains, keyring, allowPrivateTargets, allowHttpTargets } = config;
    const urls = {
      url: service.url,
      docs: service.url && `${service.url}/docs`,
      metrics: service.metricsUrl && `${service.metricsUrl}/metrics`,
    };
    if (terminal) terminal.started(urls);
    if (!databaseUrl && !onlyReads(config))
      log.info(`DATABASE_URL is not set: using an embedded PostgreSQL that keeps its data in ${dataDir}.`);
    if (keyring.keyIds.length === 0 && !onlyReads(config))
      log.warn("SECRET_KEY is not set: new signing secrets are kept in the database as they are.");
    if (allowPrivateTargets)
      log.warn("ALLOW_PRIVATE_TARGETS is set: webhooks may call private addresses, and by plain http.");
    else if (allowHttpTargets) log.warn("ALLOW_HTTP_TARGETS is set: webhooks may be called by plain http.");
    collectGarbage();
    if (!terminal) log.info({ roles: [...roles], chains: chains.map(({ chainId }) => chainId), ...urls }, "started");
    if (!ending.signal.aborted) await Promise.race([shutdown.received, once(ending.signal, "abort")]);
    const [lost] = losses;
    if (lost) log.fatal({ err: lost }, "the database is lost: stopping");
    else log.info({ signal: await shutdown.received }, "stopping: finishing what is in flight");
    const late = setTimeout(() => {
      log.error("stopping took too long; ending now");
      process.exit(lost ? exitCodeOf(lost) : 1);
    }, config.periods.timeoutMs + courtesyMs).unref();
    return await service
      .stop()
      .then(
        () => {
          log.info("stopped");
          return lost ? exitCodeOf(lost) : 0;
        },
        (err: unknown) => {
          log.error({ err }, "stopping failed");
          return lost ? exitCodeOf(lost) : 1;
        },
      )
      .finally(() => clearTimeout(late));
  } catch (error) {
    // The signal came while it waited for its database.
    const [cause = error] = losses;
    if (ending.signal.aborted && cause === error && (error as Error).name === "AbortError") return 0;
    console.error(sentenceFor(cause) ?? cause);
    return exitCodeOf(cause);
  } finally {
    shutdown.ignore();
  }
}

/**
 * Returns what starting took. V8 keeps that memory until it collects its whole heap, and an idle process gives it no reason to: 133 MB stayed
 * resident then, and 176 without this. It takes 50 ms, once. Only the flavour `last-resort` also shrinks the young generation.
 */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

/**
 * Lets V8 weigh buffers together with the heap. By itself Node 24 collects a thread's whole heap after each 64 MB of buffers, such as nodes'
 * answers: 40 blocks. Catching up is a twelfth faster without, and from the stream of blocks an eighth. Other versions of Node may lack the
 * flag, and would complain.
 */
function countBuffersInHeap(): void {
  if (process.version.startsWith("v24.")) setFlagsFromString("--external-memory-accounted-in-global-limit");
}

/** For what an operator can fix without a stack trace. */
function sentenceFor(error: unknown): string | undefined {
  const plain = plainMessage(error);
  if (plain !== undefined) return plain;
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === "EADDRINUSE") return `Port ${port} of ${address} is in use; set another PORT or METRICS_PORT.`;
  if (code === "EACCES" && port !== undefined)
    return `Port ${port} may not be used by this user; set another PORT or METRICS_PORT.`;
  // The service waits for an unavailable database, so this can only be an address that we listen on.
  if (code !== undefined && /^(EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/.test(code))
    return `HOST and METRICS_HOST must be addresses of this machine: ${(error as Error).message}.`;
  return undefined;
}
