/** Two processes of the service: one that lives through the whole run, and one that is stopped or killed again and again. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ChainConfig } from "../../server/settings/chains.ts";
import { settings } from "../../server/settings/settings.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import type { Course } from "./course.ts";

/** The most attempts that a process has in flight when it is killed. Each can arrive twice. */
export type Restarts = { stopped: number; killed: number };

export type Processes = {
  steady: ServiceProcess;
  steadyUrl: string;
  /** The addresses of those that are up. */
  urls(): string[];
  counts: Restarts;
  /** From now on one of them is ended and started again, again and again. */
  beginRestarts(): void;
  /** What was logged as an error, by any of them. */
  errors: Record<string, unknown>[];
  /** Lets go of what was logged otherwise, which would fill this process's memory. */
  trim(): void;
  /** Ends the restarts, then both processes as an operator would. */
  stop(): Promise<void>;
};

/** As without configuration, but that the webhooks of the run may be created as fast as they can be. */
const limits = {
  ...{ RATE_LIMIT_KEY: "20000", RATE_LIMIT_ADDRESS: "500", MAX_CONCURRENT_REQUESTS: "40" },
  WEBHOOK_QUOTA: settings.webhookQuota.fallback,
};

/** Starts them. */
export async function startProcesses(databaseUrl: string, chain: ChainConfig, course: Course): Promise<Processes> {
  const dice = course.diceFor("restarts");
  const env = { LOG_LEVEL: "info", LEASE_SECONDS: "10", ...limits };
  const start = () => startServiceProcess(databaseUrl, [chain], { env });
  const steady = await start();
  const steadyUrl = await steady.started;
  const counts: Restarts = { stopped: 0, killed: 0 };
  const errors: Record<string, unknown>[] = [];
  let restless = await start();
  let restlessUrl: string | undefined = await restless.started;
  const stopping = new AbortController();
  void steady.ended.then((how) => {
    if (!stopping.signal.aborted) errors.push({ msg: "the process that nobody ended is gone", ...how });
  });

  function trim(): void {
    for (const { logged } of [steady, restless])
      errors.push(...logged.splice(0).filter(({ level }) => Number(level) >= 50));
  }

  async function restart(): Promise<void> {
    const signal = dice(2) === 0 ? "SIGTERM" : "SIGKILL";
    counts[signal === "SIGTERM" ? "stopped" : "killed"] += 1;
    restlessUrl = undefined;
    restless.signal(signal);
    await restless.ended;
    trim();
    restless = await start();
    restlessUrl = await restless.started;
  }

  let restarting = Promise.resolve();
  async function restartAgainAndAgain(): Promise<void> {
    for (;;) {
      await sleep(12_000 + dice(12_000), undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      await restart();
    }
  }

  return {
    steady,
    steadyUrl,
    urls: () => [steadyUrl, ...(restlessUrl === undefined ? [] : [restlessUrl])],
    counts,
    beginRestarts() {
      restarting = restartAgainAndAgain();
      // Seen when it is stopped.
      restarting.catch(() => undefined);
    },
    errors,
    trim,
    async stop() {
      stopping.abort();
      await restarting;
      for (const one of [steady, restless]) one.signal("SIGTERM");
      await Promise.all([steady.ended, restless.ended]);
      trim();
    },
  };
}
