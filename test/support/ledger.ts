/**
 * The account of everything: what the tables say was recorded, what the receiver got and accepted, and what the service says is
 * still pending or has failed. Nothing is lost when the first is covered by the others.
 */
import { expect } from "vitest";
import { findNotifications } from "../../server/store/outbox/notification-list.ts";
import type { Queryable } from "../../server/store/pool.ts";
import type { Delivered } from "./receiver.ts";

/** What a receiver remembers of each delivery, as far as it counts here. */
export type Deliveries = { deliveries: readonly Pick<Delivered, "headers" | "answered">[] };

/** Sets of messageIds. */
export type Ledger = {
  recorded: Set<string>;
  /** How often each arrived. */
  arrived: Map<string, number>;
  /** Those that the receiver answered with a 2xx. */
  accepted: Set<string>;
  /** As the API lists them. */
  pending: Set<string>;
  failed: Set<string>;
  /** Those with an attempt without an error on record. */
  delivered: Set<string>;
  /** The numbers of the attempts on record, in order. */
  attempts: Map<string, number[]>;
};

/** Notifications of webhooks that were deleted are gone with them, and are no part of it. */
export async function readLedger(db: Queryable, receiver: Deliveries): Promise<Ledger> {
  const arrived = new Map<string, number>();
  const accepted = new Set<string>();
  for (const { headers, answered } of receiver.deliveries) {
    const id = String(headers["webhook-id"]);
    arrived.set(id, (arrived.get(id) ?? 0) + 1);
    if (answered !== undefined && answered >= 200 && answered < 300) accepted.add(id);
  }
  const { rows } = await db.query<{ webhook: string; sequence: number; id: string; numbers: number[]; ok: boolean }>(
    `SELECT n.webhook_id AS webhook, n.sequence, n.message_id AS id, bool_or(a.error_class IS NULL) AS ok,
       array_agg(a.number ORDER BY a.number)::int[] AS numbers
     FROM notifications n JOIN webhooks w ON w.id = n.webhook_id
     LEFT JOIN attempts a USING (webhook_id, sequence)
     GROUP BY 1, 2, 3`,
  );
  const idOf = new Map(rows.map(({ webhook, sequence, id }) => [`${webhook} ${sequence}`, id]));
  const listed = { pending: new Set<string>(), failed: new Set<string>() };
  for (const webhook of new Set(rows.map(({ webhook }) => webhook))) {
    for (const status of ["pending", "failed"] as const) {
      const { places } = await findNotifications(db, webhook, { status, after: 0, limit: 1_000_000 });
      for (const { sequence } of places) listed[status].add(idOf.get(`${webhook} ${sequence}`) ?? "");
    }
  }
  const made = rows.filter(({ numbers: [first] }) => first !== null);
  return {
    recorded: new Set(idOf.values()),
    arrived,
    accepted,
    ...listed,
    delivered: new Set(made.filter(({ ok }) => ok).map(({ id }) => id)),
    attempts: new Map(made.map(({ id, numbers }) => [id, numbers])),
  };
}

/** @throws when something is lost, made up, said to be delivered without being so, or misnumbered */
export function expectNothingLost({ recorded, arrived, accepted, pending, failed, delivered, attempts }: Ledger): void {
  const isCovered = (id: string) => accepted.has(id) || pending.has(id) || failed.has(id);
  expect({
    lost: [...recorded].filter((id) => !isCovered(id)),
    madeUp: [...arrived.keys()].filter((id) => !recorded.has(id)),
    falselyDelivered: [...delivered].filter((id) => !accepted.has(id)),
    misnumbered: [...attempts].filter(([, numbers]) => numbers.some((number, index) => number !== index + 1)),
  }).toEqual({ lost: [], madeUp: [], falselyDelivered: [], misnumbered: [] });
}

/** The messageIds that arrived more often than attempts are on record, and how much more often. */
export function duplicatesIn({ arrived, attempts }: Ledger): Map<string, number> {
  const surplus = [...arrived].map(([id, count]) => [id, count - (attempts.get(id)?.length ?? 0)] as const);
  return new Map(surplus.filter(([, more]) => more > 0));
}
