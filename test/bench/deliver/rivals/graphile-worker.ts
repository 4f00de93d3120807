/**
 * graphile-worker with the settings that its own page on performance gives: a local queue of 500, completions in batches, 24 jobs at once.
 * `folder url databaseUrl count`: fills its queue, says so, and then when it has sent everything and is done with it.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import pg from "pg";
import { eventText, postAlone } from "../post-alone.ts";

type GraphileWorker = {
  run(options: object): Promise<{ stop(): Promise<void> }>;
  runMigrations(options: object): Promise<void>;
  Logger: new (factory: () => () => void) => object;
};

const [folder = "", url = "", connectionString = "", count = "0"] = process.argv.slice(2);
const { run, runMigrations, Logger }: GraphileWorker = createRequire(join(folder, "package.json"))("graphile-worker");
const preset = {
  worker: {
    connectionString,
    concurrentJobs: 24,
    maxPoolSize: 25,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
  },
};
const logger = new Logger(() => () => undefined);
await runMigrations({ preset, logger });
const pool = new pg.Pool({ connectionString });
for (let from = 0; from < Number(count); from += 5_000) {
  const payloads = Array.from({ length: Math.min(5_000, Number(count) - from) }, (_, n) => eventText(from + n));
  await pool.query(
    `SELECT count(*) FROM graphile_worker.add_jobs((SELECT array_agg(('post', jsonb_build_object('event', p)::json, NULL, now(), 1, NULL, NULL, NULL)
       ::graphile_worker.job_spec) FROM unnest($1::text[]) p))`,
    [payloads],
  );
}
await pool.query("VACUUM ANALYZE");
const post = postAlone(url);
let sent = 0;
let allSent = () => {};
const done = new Promise<void>((resolve) => {
  allSent = resolve;
});
process.send?.({ filled: true });
await new Promise((resolve) => process.once("message", resolve));
const taskList = {
  post: async ({ event }: { event: string }) => {
    await post(event);
    sent += 1;
    if (sent === Number(count)) allSent();
  },
};
const runner = await run({ preset, logger, taskList, noHandleSignals: true });
await done;
const left = async () => (await pool.query("SELECT FROM graphile_worker._private_jobs LIMIT 1")).rowCount;
while ((await left()) !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
process.send?.({ done: true });
await runner.stop();
process.exit(0);
