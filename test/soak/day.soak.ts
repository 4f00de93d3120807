/**
 * A day in small: everything at once, for minutes, and in the end every notification is accounted for, and no process has grown.
 * `npm run soak` runs it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startEvmNode } from "../../scripts/local/evm-node.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createPool } from "../../server/store/pool.ts";
import { openChain } from "../chain/local-chain.ts";
import { address } from "../support/api.ts";
import { createTestDatabase } from "../support/database.ts";
import { duplicatesIn, expectNothingLost, readLedger } from "../support/ledger.ts";
import { testChain, testChainId } from "../support/service.ts";
import { startActivity } from "./activity.ts";
import { openApi } from "./api.ts";
import { readCourse } from "./course.ts";
import { type Arrival, startEndpoints } from "./endpoints.ts";
import { fairnessOf, isUnfair } from "./fairness.ts";
import { startHostile } from "./hostile/start.ts";
import { startProcesses } from "./processes.ts";
import { type Growth, growthIn, quantile, writeReport } from "./report.ts";
import { startSampling } from "./samples.ts";
import { attempted, followed } from "./settled.ts";
import { type Temper, temperOf } from "./tempers.ts";
import { startTraffic } from "./traffic.ts";

const course = readCourse();
/** Before the hostile ones come, and with them before processes are ended: in these two stretches it is seen whom they hold up. */
const calmMs = Math.min(60, course.minutes * 15) * 1_000;
/** Code is compiled and caches fill. */
const warmUpMs = calmMs / 6;
/** Each address is watched by ten webhooks. */
const watched = Array.from({ length: course.webhooks / 10 }, (_, index) => address(1_000 + index));

test(`${course.minutes} minutes of everything at once lose nothing, and leave nothing behind (seed ${course.seed})`, async () => {
  const [node, database, endpoints] = await Promise.all([startEvmNode(), createTestDatabase(), startEndpoints()]);
  const pool = createPool(database.url);
  try {
    const { key } = await createKey(pool, { account: "soak", scopes: ["read", "write"] });
    const { key: hostileKey } = await createKey(pool, { account: "hostile", scopes: ["read", "write"] });
    const chain = await openChain(node.rpcUrl);
    const processes = await startProcesses(database.url, { ...testChain(node), pollMs: 200 }, course);
    const api = openApi(key, processes.urls);
    await followed(pool, chain);

    const create = async (n: number): Promise<string> => {
      const temper = temperOf(n);
      const metadata = { addresses: [watched[n % watched.length]] };
      const body = {
        url: endpoints.urlOf(temper, n),
        chainId: testChainId,
        eventType: "address_activity",
        metadata,
        name: temper,
      };
      return String((await api.call("POST", "/v1/webhooks", body)).body.id ?? "");
    };
    const ids = await createAll(create);
    const began = Date.now();
    const lasting = sleep(course.minutes * 60_000);
    const endSampling = startSampling(
      pool,
      { service: processes.steady.pid, endpoints: endpoints.pid, run: process.pid },
      processes.trim,
    );
    const endTraffic = startTraffic(api, ids, () => create(course.webhooks), course);
    const activity = await startActivity(chain, watched, course);
    await sleep(calmMs);
    const hostileFrom = Date.now();
    const hostile = await startHostile({
      url: processes.steadyUrl,
      key: hostileKey,
      chainId: testChainId,
      watched: watched.length,
      seed: course.seed,
    });
    await sleep(calmMs);
    const stretches = {
      without: { from: began + warmUpMs, to: hostileFrom },
      with: { from: hostileFrom, to: Date.now() },
    };
    processes.beginRestarts();
    await lasting;
    const hostileActs = await hostile.end();
    await activity.stop();
    await endTraffic();
    const samples = await endSampling();
    await followed(pool, chain);
    await attempted(pool);
    await processes.stop();
    const arrivals = await endpoints.end();

    const ledger = await readLedger(pool, { deliveries: arrivals.map(asDelivery) });
    const duplicates = duplicatesIn(ledger);
    const temperOfMessage = new Map(arrivals.map(({ id, temper }) => [id, temper]));
    const duplicatesAt = (temper: Temper) => sum([...duplicates].filter(([id]) => temperOfMessage.get(id) === temper));
    const latencies = latenciesOf(arrivals, activity.minedAt, began);
    const ms = latencies.map((one) => one.ms);
    // From the hostile ones on: what they hold open is held by then.
    const growth = growthIn(samples.filter(({ at }) => began + at * 1_000 > hostileFrom));
    const deliveries = latencies.map(({ at, ms }) => ({ at: began + at * 1_000, ms }));
    const waits = {
      "API reads": api.waits.filter(({ isRead }) => isRead),
      "API changes": api.waits.filter(({ isRead }) => !isRead),
      deliveries,
    };
    const fairness = fairnessOf(waits, stretches);
    const findings = {
      course: { minutes: course.minutes, webhooks: course.webhooks, seed: course.seed },
      counts: {
        ...activity.counts,
        ...processes.counts,
        recorded: ledger.recorded.size,
        delivered: ledger.delivered.size,
        pending: ledger.pending.size,
        failed: ledger.failed.size,
        arrivals: arrivals.length,
        duplicates: sum([...duplicates]),
        "duplicates at endpoints that answer at once": duplicatesAt("good"),
        "duplicates at endpoints that hang": duplicatesAt("hanging"),
        retractions: arrivals.filter(({ removed }) => removed).length,
      },
      latencyMs: { p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), p99: quantile(ms, 0.99) },
      fairness,
      hostile: hostileActs,
      growth,
      api: Object.fromEntries([...api.counts].sort()),
    };
    writeReport(course.report, findings, samples, latencies);
    console.log(JSON.stringify(findings, undefined, 2), `\nThe report is in ${course.report}.`);

    expectNothingLost(ledger);
    // What a process had in flight when it was ended can arrive once more, each time.
    const { killed, stopped } = processes.counts;
    expect(Math.max(0, ...duplicates.values())).toBeLessThanOrEqual(killed + stopped + 1);
    expect(findings.counts.retractions).toBeGreaterThan(activity.counts.reorgs);
    expect(ledger.delivered.size).toBeGreaterThan(course.minutes * 60);
    expect(processes.errors).toEqual([]);
    expect([...api.counts.keys()].filter((name) => !isExpected(name))).toEqual([]);
    expect(growth.filter(hasGrown)).toEqual([]);
    // Done, and so much that it was an attack.
    expect(Object.keys(hostileActs).length).toBeGreaterThan(15);
    expect(fairness.filter(isUnfair)).toEqual([]);
  } finally {
    await pool.end();
    await Promise.all([node.stop(), database.drop()]);
  }
});

/** @returns their identifiers */
async function createAll(create: (n: number) => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  const atATime = 8;
  for (let first = 0; first < course.webhooks; first += atATime) {
    const some = Array.from({ length: Math.min(atATime, course.webhooks - first) }, (_, index) =>
      create(first + index),
    );
    // One is lost where a process was ended meanwhile.
    ids.push(...(await Promise.all(some)).filter((id) => id !== ""));
  }
  return ids;
}

const sum = (pairs: readonly (readonly [string, number])[]) => pairs.reduce((total, [, more]) => total + more, 0);

function asDelivery({ id, status }: Arrival) {
  return { headers: { "webhook-id": id }, answered: status === 0 ? undefined : status };
}

/** Of first arrivals at endpoints that answer at once; a replay's notifications are of blocks of long ago, and no measure. */
function latenciesOf(arrivals: readonly Arrival[], minedAt: ReadonlyMap<string, number>, began: number) {
  const seen = new Set<string>();
  return arrivals.flatMap(({ id, temper, blockHash, removed, at }) => {
    const mined = minedAt.get(blockHash);
    if (temper !== "good" || removed || mined === undefined || seen.has(id)) return [];
    seen.add(id);
    return [{ at: (mined - began) / 1_000, ms: at - mined }];
  });
}

/** Nobody answers while a process is ended, and the one that is ending says 503. A webhook has ten replays at most: 409. */
function isExpected(name: string): boolean {
  return /( 2\d\d| 0| 503|replays 409)$/.test(name);
}

/** Generous, since memory is let go of when the collector feels like it; a leak of a message each would be far beyond it. */
function hasGrown({ of, first, last }: Growth): boolean {
  return of === "memoryMb" ? last > first * 1.4 + 80 : last > first * 1.5 + 60;
}
