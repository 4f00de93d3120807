/** What the operators' port reports while the database is away, and while the service shuts down. */
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Listening, listen } from "../../../server/api/listening/listen.ts";
import { createMonitoring } from "../../../server/api/monitoring/app.ts";
import { createMetrics } from "../../../server/base/metrics.ts";
import { ensureChain } from "../../../server/store/chains/cursor.ts";
import { createPool, type Pool } from "../../../server/store/pool.ts";
import { startTcpGate, type TcpGate } from "../../chain/tcp-gate.ts";
import { createTestDatabase, query, type TestDatabase } from "../../support/database.ts";
import { scrape } from "../../support/scrape.ts";

const chains = [{ chainId: "43114", name: "C-Chain" }];
const log = pino({ enabled: false });
let database: TestDatabase;
let gate: TcpGate;
let pool: Pool;
let server: Listening;
beforeEach(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  gate = await startTcpGate(Number(url.port));
  url.port = String(gate.port);
  pool = createPool(url.href);
  await ensureChain(pool, "43114");
  await pool.query("UPDATE chain_lanes SET head_number = 9, cursor_number = 7, cursor_hash = ''");
  server = await listen(createMonitoring({ pool, log, metrics: createMetrics(), chains }), { port: 0 });
});
afterEach(async () => {
  await server.close();
  await pool.end();
  await gate.close();
  await database.drop();
});

const get = (path: string) => fetch(server.url + path);
const lag = 'chain_lag_blocks{chain_id="43114",lane="plain"}';

test("while the database is unavailable, metrics show it and omit the tables' figures, and nothing is ready", async () => {
  const before = await scrape(server.url);
  expect([before.get("database_up"), before.get(lag)]).toEqual([1, 2]);
  gate.shut();
  const away = await scrape(server.url);
  expect([away.get("database_up"), away.get(lag)]).toEqual([0, undefined]);
  for (const path of ["/readyz", "/healthz/chains"]) {
    const response = await get(path);
    expect([response.status, await response.json()]).toMatchObject([503, { statusCode: 503 }]);
  }
  expect((await get("/healthz")).status).toBe(200);
  gate.open();
  expect((await scrape(server.url)).get(lag)).toBe(2);
  expect((await get("/readyz")).status).toBe(200);
});

test("while the database takes no writes nothing is ready, with the reason, and metrics show it; then all is as before", async () => {
  const name = new URL(database.url).pathname.slice(1);
  expect((await get("/readyz")).status).toBe(200);
  await query(database.url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  // As a failover does.
  gate.shut();
  gate.open();
  // The first may still find a connection that broke.
  await expect
    .poll(async () => (await (await get("/readyz")).json()).message)
    .toMatch(/^The database is read-only: default_transaction_read_only is on;/);
  const response = await get("/readyz");
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  expect((await get("/healthz")).status).toBe(200);
  const refusing = await scrape(server.url);
  expect([refusing.get("database_up"), refusing.get(lag)]).toEqual([0, 2]);
  // Connections are not kept, so the next leads to where writes are taken.
  const writing = `${database.url}?options=-c%20default_transaction_read_only%3Doff`;
  await query(writing, `ALTER DATABASE ${name} RESET default_transaction_read_only`);
  await expect.poll(async () => (await get("/readyz")).status).toBe(200);
  expect((await scrape(server.url)).get("database_up")).toBe(1);
});

test("scrapes whose figures do not come in time leave none of their statements behind", async () => {
  const holder = await pool.connect();
  await holder.query("BEGIN; LOCK TABLE retries IN ACCESS EXCLUSIVE MODE");
  let most = 0;
  const looking = (async () => {
    for (let scrapes = 0; scrapes < 2; scrapes += 1) {
      const scraping = scrape(server.url);
      let isOver = false;
      const over = scraping.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        const waiting = await query(
          database.url,
          "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        most = Math.max(most, waiting.length);
        await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 200))]);
      }
      const samples = await scraping;
      expect([samples.get("database_up"), samples.get('delivery_pending_notifications{waiting_for="retry"}')]).toEqual([
        1,
        undefined,
      ]);
    }
  })();
  await looking.finally(() => holder.query("ROLLBACK"));
  holder.release();
  expect(most).toBe(1);
  await expect
    .poll(async () => (await scrape(server.url)).get('delivery_pending_notifications{waiting_for="retry"}'))
    .toBe(0);
});

test("when the service stops it is not ready any more, and can be watched to the end", async () => {
  server.announceStop();
  expect((await get("/readyz")).status).toBe(503);
  expect((await get("/healthz")).status).toBe(200);
  expect((await scrape(server.url)).get("database_up")).toBe(1);
});

test("concurrent scrapes share one reading, and leave the database to others", async () => {
  let waiting = 0;
  const looking = setInterval(() => {
    waiting = Math.max(waiting, pool.waitingCount);
  });
  const answers = await Promise.all(Array.from({ length: 200 }, () => get("/metrics").then((answer) => answer.text())));
  clearInterval(looking);
  expect(answers.filter((text) => !text.includes("chain_webhooks_database_up 1"))).toEqual([]);
  expect(waiting).toBe(0);
});

test("metrics show for how long a move has been left half done, until it ends", async () => {
  const begin = (account: string, secondsAgo: number) =>
    pool.query(
      `INSERT INTO moves (id, account, direction, state, other_cell, run, changed_at)
       VALUES (gen_random_uuid(), $1, 'out', 'frozen', 'elsewhere', gen_random_uuid(), clock_timestamp() - make_interval(secs => $2))`,
      [account, secondsAgo],
    );
  await begin("newer", 10);
  await begin("older", 700);
  const shown = async () => (await scrape(server.url)).get('move_unfinished_seconds{direction="out",state="frozen"}');
  expect(await shown()).toBeGreaterThanOrEqual(700);
  await pool.query("UPDATE moves SET state = 'moved', finished_at = clock_timestamp() WHERE account = 'older'");
  expect(await shown()).toBeLessThan(700);
  await pool.query("UPDATE moves SET state = 'aborted', finished_at = clock_timestamp() WHERE account = 'newer'");
  expect(await shown()).toBeUndefined();
});
