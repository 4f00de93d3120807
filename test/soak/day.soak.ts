/**
 * A day in small: everything at once, for minutes, and in the end every notification is accounted for, and no process has grown.
 * `npm run soak` runs it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startEvmNode } from "../../scripts/local/evm-node.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { setQuotas } from "../../server/store/accounts/quotas.ts";
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
import { costlyMetadata, deployEmitters, emitterAddresses, isNotified, twinAddresses } from "./hostile/costly.ts";
import { startHostile } from "./hostile/start.ts";
import { startRefusingNode } from "./node.ts";
import { startProcesses } from "./processes.ts";
import {
  fairnessOf,
  type Growth,
  growthIn,
  isUnfair,
  quantile,
  type Stretch,
  unfairTo,
  writeReport,
} from "./report.ts";
import { startSampling } from "./samples.ts";
import { attempted, caughtUp, exact, followed } from "./settled.ts";
import { type Temper, temperOf } from "./tempers.ts";
import { startTraffic } from "./traffic.ts";

const course = readCourse();
/**
 * The costly account does its worst for the whole run, except in every second turn of these: then blocks are as large, and nobody watches what is
 * large in them. A short run has none, and the account rests until the hostile ones have been compared.
 */
const turns = course.minutes < 5 ? 0 : 8;
const turnMs = Math.min(60, course.minutes * 3) * 1_000;
/** Before the hostile ones come, and with them before processes are ended: in these two stretches it is seen whom they hold up. */
const calmMs = Math.min(60, course.minutes * 15) * 1_000;
/** Code is compiled and caches fill. */
const warmUpMs = calmMs / 6;
/** Of the costly account. Each comparison of its quota has one, so most can have a condition; less in a short run, since creating them takes time. */
const costlyWebhooks = Math.min(1_000, 100 * course.minutes);
/** So many webhooks are left as they are, to be held against the chain. */
const unchanged = 10;
/** Each address is watched by ten webhooks. */
const watched = Array.from({ length: course.webhooks / 10 }, (_, index) => address(1_000 + index));

const watchedBy = (n: number) => watched[n % watched.length] ?? "";

test(`${course.minutes} minutes of everything at once lose nothing, and leave nothing behind (seed ${course.seed})`, async () => {
  const [evmNode, database, endpoints] = await Promise.all([startEvmNode(), createTestDatabase(), startEndpoints()]);
  const node = await startRefusingNode(evmNode.rpcUrl, calmMs, course.seed);
  const pool = createPool(database.url);
  try {
    const { key } = await createKey(pool, { account: "soak", scopes: ["read", "write"] });
    await setQuotas(pool, "soak", { webhooks: 1_000_000 });
    const { key: hostileKey } = await createKey(pool, { account: "hostile", scopes: ["read", "write"] });
    const { key: costlyKey } = await createKey(pool, { account: "costly", scopes: ["read", "write"] });
    const chain = await openChain(evmNode.rpcUrl);
    await deployEmitters(chain.rpc);
    const processes = await startProcesses(database.url, { ...testChain({ rpcUrl: node.url }), pollMs: 200 }, course);
    const api = openApi(key, processes.urls);
    await followed(pool, chain);

    const create = async (n: number): Promise<string> => {
      const temper = temperOf(n);
      const metadata = { addresses: [watchedBy(n)] };
      const body = {
        url: endpoints.urlOf(temper, n),
        chainId: testChainId,
        eventType: "address_activity",
        metadata,
        name: temper,
      };
      return String((await api.call("POST", "/v1/webhooks", body)).body.id ?? "");
    };
    const ids = await createAll(course.webhooks, create);
    const costlyApi = openApi(costlyKey, processes.urls);
    const costlyIds = await createAll(costlyWebhooks, async (n) => {
      const url = endpoints.urlOf("costly", n);
      const body = { url, chainId: testChainId, eventType: "address_activity", metadata: costlyMetadata(n) };
      return String((await costlyApi.call("POST", "/v1/webhooks", body)).body.id ?? "");
    });
    const began = Date.now();
    node.begin("batches");
    const lasting = sleep(course.minutes * 60_000);
    const endSampling = startSampling(
      pool,
      { service: processes.steady.pid, endpoints: endpoints.pid, run: process.pid },
      processes.trim,
    );
    const endTraffic = startTraffic(api, ids.slice(unchanged), () => create(course.webhooks), course);
    let isCostly = false;
    const emitters = () => (isCostly ? emitterAddresses : twinAddresses);
    const activity = await startActivity(chain, { addresses: watched, emitters }, course);
    const hostile = await startHostile({
      ...{ url: processes.steadyUrl, key: hostileKey, chainId: testChainId },
      ...{ watched: watched.length, seed: course.seed },
      costly: { key: costlyKey, rpcUrl: evmNode.rpcUrl, ids: costlyIds.slice(0, 50) },
    });
    const letCostly = (goesOn: boolean) => {
      isCostly = goesOn;
      hostile.say(goesOn ? "ask" : "rest");
    };
    /** Those that are compared see the same refusals. */
    const stretch = async (ms: number, refused: Parameters<typeof node.begin>[0]): Promise<Stretch> => {
      node.begin(refused);
      const from = Date.now();
      await sleep(ms);
      return { from, to: Date.now() };
    };
    await sleep(warmUpMs);
    const ofCostly: { without: Stretch[]; with: Stretch[] } = { without: [], with: [] };
    for (let turn = 0; turn < turns; turn += 1) {
      const isWith = turn % 2 === 1;
      letCostly(isWith);
      // What it still has to catch up with belongs to its own turn.
      if (!isWith) await caughtUp(pool);
      // A limited rate alone delays all by seconds, whoever else is there.
      ofCostly[isWith ? "with" : "without"].push(await stretch(turnMs, "batches"));
    }
    const calm = await stretch(calmMs - warmUpMs, "all");
    const hostileFrom = Date.now();
    hostile.say("hostile");
    const stretches = { without: [calm], with: [await stretch(calmMs, "all")] };
    letCostly(true);
    processes.beginRestarts();
    await lasting;
    const hostileActs = await hostile.end();
    await activity.stop();
    await endTraffic();
    const samples = await endSampling();
    await followed(pool, chain);
    await attempted(pool);
    await exact(pool, chain, [
      ...ids.slice(0, unchanged).map((id, n) => ({ id, addresses: [watchedBy(n)] })),
      ...costlyIds.map((id, n) => ({ id, addresses: isNotified(n) ? emitterAddresses : [] })),
    ]);
    await processes.stop();
    const arrivals = await endpoints.end();
    const refusals = await node.end();

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
    const costly = turns === 0 ? [] : fairnessOf(waits, ofCostly);
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
        "of the costly account": arrivals.filter(({ temper }) => temper === "costly").length,
        "duplicates at endpoints that answer at once": duplicatesAt("good"),
        "duplicates at endpoints that hang": duplicatesAt("hanging"),
        retractions: arrivals.filter(({ removed }) => removed).length,
      },
      latencyMs: { p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), p99: quantile(ms, 0.99) },
      fairness,
      costly,
      hostile: hostileActs,
      refusals,
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
    expect(sum(Object.entries(refusals))).toBeGreaterThan(0);
    expect(fairness.filter(isUnfair)).toEqual([]);
    expect(unfairTo(costly).unfair).toEqual([]);
  } finally {
    await pool.end();
    await Promise.all([evmNode.stop(), database.drop()]);
  }
});

/** @param create gives an empty text where a busy service refused @returns their identifiers, in order */
async function createAll(count: number, create: (n: number) => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  const atATime = 8;
  const one = async (n: number): Promise<string> => (await create(n)) || one(n);
  for (let first = 0; first < count; first += atATime) {
    const some = Array.from({ length: Math.min(atATime, count - first) }, (_, index) => one(first + index));
    ids.push(...(await Promise.all(some)));
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

/**
 * Threads that have read the costly account's blocks keep heaps for them, which all have only after a while: 740 MB in a minute's run. Otherwise
 * generous, since memory is let go of when the collector feels like it; a leak of a message each would be far beyond it in a longer run.
 */
function hasGrown({ of, first, last }: Growth): boolean {
  return of === "memoryMb" ? last > Math.max(900, first * 1.4 + 80) : last > first * 1.5 + 60;
}
