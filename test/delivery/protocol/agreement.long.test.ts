/**
 * The store's own functions, on real PostgreSQL, go through the same steps as the model, and come to the same states. Walks are
 * taken at random from a seed; every kind of step, with every effect that it can have, must have been among them.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Outbox, type OutboxWebhook, openOutbox } from "../../support/outbox.ts";
import { runs } from "../../support/runs.ts";
import { seeded } from "../../support/seeded.ts";
import { Driver, type Place } from "./driver.ts";
import { explore } from "./explore.ts";
import { after, allRules, initial, type State, type Step, toAttempt } from "./model.ts";
import { stepsFrom } from "./steps.ts";

const size = { processes: 2, shardOf: [0, 0], attemptLimit: 2, networkLimit: 2 };
const walks = runs(8, 24);
const stepsAWalk = 40;

let outbox: Outbox;
let webhook: OutboxWebhook;
let places: Place[];
beforeAll(async () => {
  outbox = await openOutbox();
  webhook = await outbox.addWebhook("http://127.0.0.1/");
  await outbox.append([webhook], size.shardOf.length);
  places = (
    await outbox.pool.query<Place>(`SELECT position, recorded_on AS "recordedOn" FROM notifications ORDER BY position`)
  ).rows;
});
afterAll(() => outbox.close());

const covered = new Set<string>();

function expected(state: State): object {
  const [lease] = state.leases;
  const tasks = state.records.flatMap((_, notification) => {
    const number = toAttempt(state, size, notification);
    return number === undefined ? [] : [[notification + 1, number]];
  });
  return {
    lease: lease?.owner === "nobody" ? { owner: "nobody" } : lease,
    records: state.records,
    cursor: state.cursors[0],
    toAttempt: tasks,
  };
}

/** Takes steps, each chosen by who knows the state, and compares after each. */
async function walk(
  name: string,
  count: number,
  choose: (state: State, index: number) => Step | undefined,
): Promise<void> {
  const onArrival = (counts: boolean) => covered.add(`arrive: ${counts ? "counts" : "is void"}`);
  const driver = new Driver({ outbox, webhook, places, size, onArrival });
  await driver.reset();
  let state = initial(size);
  const trace: Step[] = [];
  for (let index = 0; index < count; index += 1) {
    const step = choose(state, index);
    if (!step) continue;
    const next = after(state, step, size, allRules);
    trace.push(step);
    await driver.take(step, state, next);
    const isChange = JSON.stringify(expected(next)) !== JSON.stringify(expected(state));
    covered.add(`${step.do}: ${isChange ? "changes" : "leaves"} the tables`);
    state = next;
    expect(await driver.read(), `${name}: ${JSON.stringify(trace)}`).toEqual(expected(state));
  }
}

test.each(["fence", "newEpoch", "once"] as const)("where the rule %s is needed, the store keeps it", async (rule) => {
  // The shortest way on which the model goes wrong without it.
  const { fault } = explore({ ...size, shardOf: [0] }, { ...allRules, [rule]: false });
  const { trace } = fault ?? { trace: [] };
  expect(trace.length).toBeGreaterThan(5);
  await walk(rule, trace.length, (_, index) => trace[index]);
});

test("after every step the tables and the next notifications to send match the model", async () => {
  for (let seed = 1; seed <= walks; seed += 1) {
    const random = seeded(seed);
    await walk(`seed ${seed}`, stepsAWalk, (state) => {
      // What only ends work would else be taken too often for anything to be finished.
      const ends = (step: Step) => /crash|notice|release|ownEnd/.test(step.do);
      const steps = stepsFrom(state, size, allRules).filter((step) => !ends(step) || random(4) === 0);
      return steps[random(steps.length)];
    });
  }
  const changing = ["claim", "renew", "release", "databaseEnd", "moveCursor", "arrive", "crash"];
  const leaving = ["claim", "renew", "moveCursor", "arrive", "send", "answer", "write", "giveUp", "ownEnd", "notice"];
  const wanted = [
    ...changing.map((step) => `${step}: changes the tables`),
    ...leaving.map((step) => `${step}: leaves the tables`),
    ...["arrive: counts", "arrive: is void"],
  ];
  expect([...covered]).toEqual(expect.arrayContaining(wanted));
});
