/** What readers of feeds cost delivery: the same stream of notifications without them and with them, in turn. */
import { createKey } from "../../../server/store/accounts/keys.ts";
import { streamsOf } from "../api/streams.ts";
import { quantile } from "../figures.ts";
import { record } from "./outbox.ts";
import { end, message, start } from "./processes.ts";
import { type Found, fill, openWorld, type Scale, startMeter, type World } from "./world.ts";

/** Streams that wait, of an account without activity; and those that get each notification of their webhook. */
const [waiting, reading] = [4_900, 100];
const webhooks = 1_000;
const [notified, idle] = [1, 2];
const blocksASecond = 4;
const turns = ["without", "with", "without", "with"] as const;

export async function readers({ seconds, rate }: Scale): Promise<Found> {
  const world = await openWorld({ webhooks, accountOf: (n) => (n <= webhooks / 2 ? notified : idle) });
  const service = world.deliver();
  let done = 20_000;
  await fill(world.pool, done, { account: notified });
  await world.recorded(done);
  const rows: Found["rows"] = [];
  for (const turn of turns) {
    const close = turn === "with" ? await openReaders(world) : async () => undefined;
    world.receiver.reset();
    const meter = await startMeter(world, () => service.pid ?? 0);
    const fed = await feed(world, (seconds / turns.length) | 0, rate);
    done += fed;
    await world.arrived(fed);
    await world.recorded(done);
    const cost = await meter(fed);
    const { latencies } = await world.receiver.tally();
    rows.push({
      readers: turn,
      "latency ms, median": quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      ...cost,
    });
    await close();
  }
  await world.close();
  return {
    rows,
    says: [`${waiting} streams wait, and ${reading} read. They, and the process that serves them, share the machine.`],
  };
}

async function feed({ pool }: World, seconds: number, rate: number): Promise<number> {
  const startedAt = performance.now();
  for (let block = 0; block < seconds * blocksASecond; block += 1) {
    const dueAt = startedAt + (block * 1_000) / blocksASecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
    await record(pool, rate / blocksASecond, { stamped: true, account: notified });
  }
  return seconds * rate;
}

type Feed = { id: string; last: number };

/** @returns what closes them */
async function openReaders({ pool, postgres }: World): Promise<() => Promise<void>> {
  const unlimited = { MAX_CONCURRENT_REQUESTS: "1000", RATE_LIMIT_KEY: "0", RATE_LIMIT_ADDRESS: "0" };
  const env = { DATABASE_URL: postgres.url, MAX_CONNECTIONS: "20000", ...unlimited };
  const api = start("test/bench/api/server.ts", ["enforced"], env);
  const streams = streamsOf(`http://127.0.0.1:${await message<number>(api, "port")}`);
  const open = ({ id, last }: Feed, key: string) => streams.open(`/v1/webhooks/${id}/feed?after=${last}`, key);
  for (const [account, count] of [
    [idle, waiting],
    [notified, reading],
  ] as const) {
    const { key } = await createKey(pool, { account: `bench ${account}`, scopes: ["read"] });
    const { rows } = await pool.query<Feed>(
      `SELECT id, last_sequence AS last FROM webhooks JOIN webhook_sequences ON webhook_id = id WHERE account_id = $1`,
      [account],
    );
    const feedOf = (n: number) => rows[n % rows.length] as Feed;
    for (let n = 0; n < count; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => open(feedOf(n + index), key)));
  }
  return async () => {
    streams.close();
    await end(api);
  };
}
