/**
 * The store's own functions, on real PostgreSQL, go through the same steps as the model, and come to the same states. Walks are
 * taken at random from a seed; every kind of step, with every effect that it can have, must have been among them.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readStream, readStreamCursors } from "../../../server/store/delivery-feed.ts";
import { writeResults, writeStreamCursors } from "../../../server/store/delivery-results.ts";
import { readDueRetries } from "../../../server/store/due-retries.ts";
import { claimLeases, releaseLease } from "../../../server/store/leases.ts";
import { type Outbox, type OutboxWebhook, openOutbox, outboxChainId } from "../../support/outbox.ts";
import { seeded } from "../../support/seeded.ts";
import { explore } from "./explore.ts";
import { after, allRules, initial, type State, type Step, stepsFrom, toAttempt } from "./model.ts";

const size = { processes: 2, shardOf: [0, 0], attemptLimit: 2, networkLimit: 2 };
const walks = 24;
const stepsAWalk = 40;

let outbox: Outbox;
let webhook: OutboxWebhook;
let places: { position: number; recordedOn: string }[];
beforeAll(async () => {
  outbox = await openOutbox();
  webhook = await outbox.addWebhook("http://127.0.0.1/");
  await outbox.append([webhook], size.shardOf.length);
  places = (
    await outbox.pool.query<{ position: number; recordedOn: string }>(
      `SELECT position, recorded_on AS "recordedOn" FROM notifications ORDER BY position`,
    )
  ).rows;
});
afterAll(() => outbox.close());

/** Drives the database: what of the model lies in processes or on the way is kept beside it. */
class Driver {
  readonly #owners: string[] = [randomUUID(), randomUUID()];
  #epochs: (number | undefined)[] = [];
  #network = new Map<string, { owner: string; epoch: number }[]>();
  readonly #key = String(webhook.shard);

  async reset(): Promise<void> {
    for (const table of ["attempts", "retries", "delivery_cursors"]) await outbox.pool.query(`DELETE FROM ${table}`);
    await outbox.pool.query("DELETE FROM lease_members");
    await outbox.pool.query("UPDATE leases SET owner = NULL, epoch = 0");
  }

  /** @param before the model's state that the step is taken from @param then the one that it leads to */
  async take(step: Step, before: State, then: State): Promise<void> {
    const owner = "process" in step ? (this.#owners[step.process] ?? "") : "";
    const epoch = "process" in step ? this.#epochs[step.process] : undefined;
    const fence = { owner, leases: [{ key: this.#key, epoch: epoch ?? -1 }] };
    if (step.do === "claim" || step.do === "renew") {
      const held = step.do === "renew" ? fence.leases : [];
      const claim = { kind: "shard", keys: [this.#key], held, owner, seconds: 600, take: step.do === "claim" };
      const { taken, renewed } = await claimLeases(outbox.pool, claim, 5_000);
      this.#epochs[step.process] = [...taken, ...renewed][0]?.epoch;
    } else if (step.do === "release") {
      await releaseLease(outbox.pool, "shard", owner, { key: this.#key, epoch: epoch ?? -1 });
    } else if (step.do === "databaseEnd") {
      await outbox.pool.query("UPDATE leases SET expires_at = now() - interval '1 s' WHERE key = $1", [this.#key]);
    } else if (step.do === "crash") {
      this.#owners[step.process] = randomUUID();
    } else if (step.do === "moveCursor") {
      const done = before.records.findIndex(({ attempts }) => attempts === 0);
      const last = places[(done < 0 ? places.length : done) - 1];
      const cursor = { shard: webhook.shard, chainId: outboxChainId, position: 0, recordedOn: "1970-01-02", ...last };
      await writeStreamCursors(outbox.pool, fence, [cursor]);
    } else if (step.do === "write") {
      const added =
        then.network.find((write) => !before.network.some((other) => same(write, other))) ?? then.network[0];
      const key = JSON.stringify(unmarked(added));
      this.#network.set(key, [...(this.#network.get(key) ?? []), { owner, epoch: epoch ?? -1 }]);
    } else if (step.do === "arrive") {
      await this.#arrive(before.network[step.write]);
    }
  }

  async #arrive(write: State["network"][number] | undefined): Promise<void> {
    if (!write) throw new Error("no such write");
    const sent = this.#network.get(JSON.stringify(unmarked(write))) ?? [];
    // Of two that are alike but for their epochs, the present one's is the later.
    const from = write.current ? sent.pop() : sent.shift();
    if (!from) throw new Error("nothing was sent");
    const { notification, number, ok } = write;
    const held = await writeResults(
      outbox.pool,
      { owner: from.owner, leases: [{ key: this.#key, epoch: from.epoch }] },
      [
        {
          ...{ recordedOn: places[notification]?.recordedOn ?? "", shard: webhook.shard, webhookId: webhook.id },
          ...{ sequence: notification + 1, number, trigger: "schedule", step: number, ageMs: 1, durationMs: 1 },
          ...{ responseStatus: ok ? 204 : 500, responseBody: null, errorClass: ok ? null : "bad_status" },
          retryInMs: ok || number >= size.attemptLimit ? null : 0,
        },
      ],
    );
    covered.add(`arrive: ${held.size === 1 ? "counts" : "is void"}`);
  }

  /** The database's part of the state, in the model's words. */
  async read(): Promise<object> {
    const { rows: leases } = await outbox.pool.query<{ owner: string | null; ended: boolean }>(
      "SELECT owner, expires_at < clock_timestamp() AS ended FROM leases WHERE kind = 'shard' AND key = $1",
      [this.#key],
    );
    const { rows: records } = await outbox.pool.query(
      `SELECT (SELECT count(*) FROM attempts WHERE sequence = n.sequence) AS attempts, coalesce(r.attempts, 0)::int AS retry,
         EXISTS (SELECT FROM attempts WHERE sequence = n.sequence AND error_class IS NULL) AS delivered, r.due_at IS NOT NULL AS due
       FROM notifications n LEFT JOIN retries r USING (webhook_id, sequence) ORDER BY n.sequence`,
    );
    const { shard } = webhook;
    const [cursor] = await readStreamCursors(outbox.pool, shard);
    const position = cursor?.position ?? 0;
    const upTo = places.at(-1)?.position ?? 0;
    const options = { upTo, since: "2000-01-01", limit: 10, recovering: true };
    const stream = await readStream(outbox.pool, outboxChainId, [{ shard, position }], options);
    const due = await readDueRetries(outbox.pool, [{ shard, webhookId: undefined }], { webhooks: 5, perWebhook: 5 });
    const firsts = stream.filter(({ attempted }) => !attempted).map(({ sequence }) => [sequence, 1]);
    const again = due.flatMap((each) => each.due).map(({ sequence, attempts }) => [sequence, attempts + 1]);
    const [lease] = leases;
    const index = this.#owners.indexOf(lease?.owner ?? "");
    const owner = lease?.owner === null ? "nobody" : index < 0 ? "the dead" : index;
    return {
      lease: owner === "nobody" ? { owner } : { owner, ended: lease?.ended },
      records,
      cursor: places.filter((place) => place.position <= position).length,
      toAttempt: [...firsts, ...again].sort(([a = 0], [b = 0]) => a - b),
    };
  }
}

const unmarked = (write: State["network"][number] | undefined) => ({ ...write, current: undefined });
const same = (a: State["network"][number], b: State["network"][number]) => JSON.stringify(a) === JSON.stringify(b);
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
  const driver = new Driver();
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

test("after every step the tables are as the model says, and what is read to be sent is too", {
  timeout: 120_000,
}, async () => {
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
