/** Takes the steps of the model with the store's own functions, and reads what comes of them. */
import { randomUUID } from "node:crypto";
import { readDueRetries } from "../../../server/store/delivery/due-retries.ts";
import { readOutbox, readShardCursors } from "../../../server/store/delivery/feed.ts";
import { writeAttempts } from "../../../server/store/delivery/results.ts";
import { writeShardCursors } from "../../../server/store/delivery/state.ts";
import { claimLeases, releaseLease } from "../../../server/store/leases.ts";
import { type Outbox, type OutboxWebhook, outboxChainId } from "../../support/outbox.ts";
import type { Size, State, Step, Write } from "./model.ts";

export type Place = { position: number; recordedOn: string };

/** Drives the database: what of the model lies in processes or on the way is kept beside it. */
export class Driver {
  readonly #owners: string[] = [randomUUID(), randomUUID()];
  #epochs: (number | undefined)[] = [];
  #network = new Map<string, { owner: string; epoch: number }[]>();
  readonly #outbox: Outbox;
  readonly #webhook: OutboxWebhook;
  readonly #places: readonly Place[];
  readonly #size: Size;
  readonly #key: string;
  readonly #onArrival: (counts: boolean) => void;

  /** @param given.places where the webhook's notifications lie @param given.onArrival called with every result that is written */
  constructor(given: {
    outbox: Outbox;
    webhook: OutboxWebhook;
    places: readonly Place[];
    size: Size;
    onArrival: (counts: boolean) => void;
  }) {
    this.#outbox = given.outbox;
    this.#webhook = given.webhook;
    this.#places = given.places;
    this.#size = given.size;
    this.#key = String(given.webhook.shard);
    this.#onArrival = given.onArrival;
  }

  async reset(): Promise<void> {
    for (const table of ["attempts", "retries", "delivery_cursors"])
      await this.#outbox.pool.query(`DELETE FROM ${table}`);
    await this.#outbox.pool.query("DELETE FROM lease_members");
    await this.#outbox.pool.query("UPDATE leases SET owner = NULL, epoch = 0");
  }

  /** @param before the model's state that the step is taken from @param then the one that it leads to */
  async take(step: Step, before: State, then: State): Promise<void> {
    const owner = "process" in step ? (this.#owners[step.process] ?? "") : "";
    const epoch = "process" in step ? this.#epochs[step.process] : undefined;
    const fence = { owner, leases: [{ key: this.#key, epoch: epoch ?? -1 }] };
    if (step.do === "claim" || step.do === "renew") {
      const owned = step.do === "renew" ? fence.leases : [];
      const claim = { kind: "shard", keys: [this.#key], owned, owner, seconds: 600, take: step.do === "claim" };
      const { taken, renewed } = await claimLeases(this.#outbox.pool, claim, 5_000);
      this.#epochs[step.process] = [...taken, ...renewed][0]?.epoch;
    } else if (step.do === "release") {
      await releaseLease(this.#outbox.pool, "shard", owner, { key: this.#key, epoch: epoch ?? -1 });
    } else if (step.do === "databaseEnd") {
      await this.#outbox.pool.query("UPDATE leases SET expires_at = now() - interval '1 s' WHERE key = $1", [
        this.#key,
      ]);
    } else if (step.do === "crash") {
      this.#owners[step.process] = randomUUID();
    } else if (step.do === "moveCursor") {
      const done = before.records.findIndex(({ attempts }) => attempts === 0);
      const last = this.#places[(done < 0 ? this.#places.length : done) - 1];
      const cursor = {
        shard: this.#webhook.shard,
        chainId: outboxChainId,
        position: 0,
        recordedOn: "1970-01-02",
        ...last,
      };
      await writeShardCursors(this.#outbox.pool, fence, [cursor]);
    } else if (step.do === "write") {
      const added =
        then.network.find((write) => !before.network.some((other) => same(write, other))) ?? then.network[0];
      const key = JSON.stringify(unmarked(added));
      this.#network.set(key, [...(this.#network.get(key) ?? []), { owner, epoch: epoch ?? -1 }]);
    } else if (step.do === "arrive") {
      await this.#arrive(before.network[step.write]);
    }
  }

  async #arrive(write: Write | undefined): Promise<void> {
    if (!write) throw new Error("no such write");
    const sent = this.#network.get(JSON.stringify(unmarked(write))) ?? [];
    // Of two that are alike but for their epochs, the present one's is the later.
    const from = write.current ? sent.pop() : sent.shift();
    if (!from) throw new Error("nothing was sent");
    const { notification, number, ok } = write;
    const held = await writeAttempts(
      this.#outbox.pool,
      { owner: from.owner, leases: [{ key: this.#key, epoch: from.epoch }] },
      [
        {
          ...{
            recordedOn: this.#places[notification]?.recordedOn ?? "",
            shard: this.#webhook.shard,
            webhookId: this.#webhook.id,
          },
          ...{ sequence: notification + 1, number, trigger: "schedule", step: number, durationMs: 1 },
          sentAt: performance.now(),
          ...{ responseStatus: ok ? 204 : 500, responseBody: null, errorClass: ok ? null : "bad_status" },
          retryInMs: ok || number >= this.#size.attemptLimit ? null : 0,
        },
      ],
    );
    this.#onArrival(held.size === 1);
  }

  /** The database's part of the state, in the model's words. */
  async read(): Promise<object> {
    const { rows: leases } = await this.#outbox.pool.query<{ owner: string | null; ended: boolean }>(
      "SELECT owner, expires_at < clock_timestamp() AS ended FROM leases WHERE kind = 'shard' AND key = $1",
      [this.#key],
    );
    const { rows: records } = await this.#outbox.pool.query(
      `SELECT (SELECT count(*) FROM attempts WHERE sequence = n.sequence) AS attempts, coalesce(r.attempts, 0)::int AS retry,
         EXISTS (SELECT FROM attempts WHERE sequence = n.sequence AND error_class IS NULL) AS delivered, r.due_at IS NOT NULL AS due
       FROM notifications n LEFT JOIN retries r USING (webhook_id, sequence) ORDER BY n.sequence`,
    );
    const { shard } = this.#webhook;
    const [cursor] = await readShardCursors(this.#outbox.pool, shard);
    const position = cursor?.position ?? 0;
    const upTo = this.#places.at(-1)?.position ?? 0;
    const options = { since: "2000-01-01", recovering: true };
    const stream = await readOutbox(this.#outbox.pool, outboxChainId, [{ shard, position, upTo, limit: 10 }], options);
    const { due } = await readDueRetries(
      this.#outbox.pool,
      { shards: [{ shard, afterAccount: 0 }], accounts: [], without: [] },
      { accounts: 5, webhooks: 5, retries: 25, perWebhook: 5 },
    );
    const firsts = stream.filter(({ attempted }) => !attempted).map(({ sequence }) => [sequence, 1]);
    const again = due.map(({ sequence, attemptsMade }) => [sequence, attemptsMade + 1]);
    const [lease] = leases;
    const index = this.#owners.indexOf(lease?.owner ?? "");
    const owner = lease?.owner === null ? "nobody" : index < 0 ? "the dead" : index;
    return {
      lease: owner === "nobody" ? { owner } : { owner, ended: lease?.ended },
      records,
      cursor: this.#places.filter((place) => place.position <= position).length,
      toAttempt: [...firsts, ...again].sort(([a = 0], [b = 0]) => a - b),
    };
  }
}

const unmarked = (write: Write | undefined) => ({ ...write, current: undefined });
const same = (a: Write, b: Write) => JSON.stringify(a) === JSON.stringify(b);
