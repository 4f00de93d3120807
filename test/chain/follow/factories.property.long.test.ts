/**
 * Webhooks with factories on a made-up chain that grows and is reorganised, while webhooks change lanes and followers are killed: each is
 * notified exactly of what its contracts do on the chain as it is in the end, and watches exactly those. `FACTORIES_RUNS` makes more runs.
 */

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noKeys } from "../../../server/settings/keyring.ts";
import { beginAt, ensureChain } from "../../../server/store/chains/cursor.ts";
import { createPool, inTransaction, type Pool } from "../../../server/store/pool.ts";
import { updateWebhook } from "../../../server/store/webhooks/changes.ts";
import { createWebhook } from "../../../server/store/webhooks/creation.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { runs } from "../../support/runs.ts";
import {
  createdBy,
  createdTopic,
  expectedOf,
  type FactoryWatch,
  factories,
  factoryBundle,
  otherTopic,
} from "../factory-chain.ts";
import { blockAt, type Kind, kinds, LaneFollowers } from "../lane-followers.ts";
import { MadeChain } from "../made-chain.ts";
import { notifiedOf, standing } from "../notified.ts";

const numRuns = Number(process.env.FACTORIES_RUNS ?? runs(3, 8));

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url);
  await pool.query("INSERT INTO accounts (name) VALUES ('test')");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const kind = fc.constantFrom<Kind>(...kinds);
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("mine" as const), count: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("reorganise" as const), depth: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 10, arbitrary: fc.record({ do: fc.constant("step" as const), kind, killed: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const), kind }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant("create" as const), traces: fc.boolean(), factory: fc.nat(1) },
      signatures: fc.subarray<string>([createdTopic, otherTopic], { maxLength: 1 }),
      addresses: fc.subarray<string>([factories[0]]),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("lane" as const), webhook: fc.nat(9), traces: fc.boolean() }) },
);

let chains = 0;
let notified = 0;

class World {
  private readonly chain = new MadeChain(String(7_000_000 + ++chains));
  private readonly followers = new LaneFollowers(pool, this.chain, factoryBundle);
  private readonly webhooks: { id: string; from: number; watch: FactoryWatch }[] = [];

  async start(): Promise<void> {
    const { chainId } = this.chain;
    await ensureChain(pool, chainId);
    this.chain.mine(2);
    await beginAt(pool, { chainId, lane: 0 }, blockAt(this.chain.blocks, 1));
  }

  async happen(what: typeof event extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
    if (what.do === "mine") this.chain.mine(what.count);
    else if (what.do === "reorganise") this.chain.reorganise(what.depth);
    else if (what.do === "restart") this.followers.restart(what.kind);
    else if (what.do === "step") await this.followers.step(what.kind, { killed: what.killed === 0 });
    else if (what.do === "create") {
      const factory = createdBy[what.factory === 0 ? 0 : 1];
      const watch = { addresses: what.addresses, eventSignatures: what.signatures, createdBy: factory };
      const webhook = { ...plain, ...watch, chainId: this.chain.chainId, includeInternalTxs: what.traces };
      const made = await inTransaction(pool, (db) =>
        createWebhook(db, 1, { ...webhook, options: { createdBy: factory } }, noKeys),
      );
      this.webhooks.push({ id: made.id, from: Number(made.effectiveFromBlock), watch });
    } else {
      const id = this.webhooks[what.webhook % this.webhooks.length]?.id;
      const change = { includeInternalTxs: what.traces };
      if (id) await inTransaction(pool, (db) => updateWebhook(db, 1, id, change));
    }
  }

  async finish(): Promise<void> {
    for (let rounds = 0, moved = 1; moved > 0 || rounds < 4; rounds += 1) {
      expect(rounds).toBeLessThan(500);
      moved = 0;
      for (const kind of kinds) moved += (await this.followers.step(kind)) ? 1 : 0;
    }
  }

  async assertExact(): Promise<void> {
    for (const { id, from, watch } of this.webhooks) {
      const { hashes, watched } = expectedOf(this.chain.blocks, watch, from);
      const left = standing(await notifiedOf(pool, id));
      expect(left.map(({ hash }) => hash)).toEqual(hashes);
      notified += hashes.length;
      const { rows } = await pool.query<{ addresses: string[]; address_count: number }>(
        `SELECT address_count, ARRAY(SELECT '0x' || encode(address, 'hex') FROM webhook_addresses a WHERE a.webhook_id = w.id ORDER BY 1) AS addresses
         FROM webhooks w WHERE id = $1`,
        [id],
      );
      expect(rows).toEqual([{ addresses: watched, address_count: watched.length }]);
    }
  }
}

const plain = {
  ...{ url: "https://example.com/hook", eventType: "address_activity" as const, name: "", description: "" },
  includeLogs: false,
};

test("webhooks with factories are notified of what their contracts do, whatever happens", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 30, maxLength: 80, size: "max" }), async (events) => {
      const world = new World();
      await world.start();
      await world.happen({ do: "create", traces: false, factory: 0, signatures: [], addresses: [] });
      for (const what of events) await world.happen(what);
      await world.finish();
      await world.assertExact();
    }),
    { numRuns, endOnFailure: true },
  );
  expect(notified).toBeGreaterThan(0);
  const { rows } = await pool.query(
    "SELECT addresses = (SELECT sum(address_count) FROM webhooks) AS same FROM accounts",
  );
  expect(rows).toEqual([{ same: true }]);
});
