/**
 * pg-boss with batches of 500 taken without a pause by four workers, which its documentation gives for throughput.
 * `folder url databaseUrl count`: fills its queue, says so, and then when it has sent everything and is done with it.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { eventText, postAlone } from "../post-alone.ts";

type Job = { data: { event: string } };
type Boss = {
  on(event: "error", listener: (error: Error) => void): void;
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  createQueue(name: string): Promise<void>;
  insert(name: string, jobs: Job[]): Promise<unknown>;
  work(name: string, options: object, handler: (jobs: Job[]) => Promise<unknown>): Promise<string>;
};

const [folder = "", url = "", connectionString = "", count = "0"] = process.argv.slice(2);
const module = pathToFileURL(createRequire(join(folder, "package.json")).resolve("pg-boss")).href;
const { PgBoss } = (await import(module)) as { PgBoss: new (options: object) => Boss };
const boss = new PgBoss({ connectionString, max: 10, supervise: false, schedule: false });
boss.on("error", (error) => console.error(error));
await boss.start();
await boss.createQueue("post");
for (let from = 0; from < Number(count); from += 5_000)
  await boss.insert(
    "post",
    Array.from({ length: Math.min(5_000, Number(count) - from) }, (_, n) => ({ data: { event: eventText(from + n) } })),
  );
const pool = new pg.Pool({ connectionString });
await pool.query("VACUUM ANALYZE");
const post = postAlone(url);
process.send?.({ filled: true });
await new Promise((resolve) => process.once("message", resolve));
const options = { batchSize: 500, localConcurrency: 4, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 };
await boss.work("post", options, (jobs) => Promise.all(jobs.map(({ data }) => post(data.event))));
const left = async () =>
  (await pool.query("SELECT FROM pgboss.job WHERE name = 'post' AND state < 'completed' LIMIT 1")).rowCount;
while ((await left()) !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
process.send?.({ done: true });
await boss.stop({ graceful: false });
process.exit(0);
