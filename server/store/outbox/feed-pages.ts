/**
 * Reads webhooks' notifications for those who read their feeds, in one query for many of them. What waits costs nothing here: readers look at
 * the outbox by its positions, so the effort is that of what is new.
 */
import type { WebhookOptions } from "../../matching/new-webhook.ts";
import { SHARDS } from "../delivery/shards.ts";
import type { Queryable } from "../pool.ts";
import { readEventTexts } from "./event-texts.ts";

const allShards = Array.from({ length: SHARDS }, (_, shard) => shard);
/** How many positions are looked at at once. */
const positionsAtOnce = 20_000;

/** How far each chain's outbox was looked at, and a day before which nothing behind that was recorded, except by open transactions. */
export type LookedAt = ReadonlyMap<string, { position: number; since: string }>;

/**
 * Looks at what is new in the outboxes. The first look begins at their ends. A chain that only a later one finds is new itself, so all of its
 * outbox is.
 *
 * @returns how far it came, whether there is more, and of each webhook with something new its newest sequence
 */
export async function lookForNew(
  db: Queryable,
  before: LookedAt,
): Promise<{ lookedAt: LookedAt; more: boolean; newest: Map<string, number> }> {
  const known = [...before].map(([chainId, place]) => ({ chainId, ...place }));
  const { rows } = await db.query<{
    chainId: string;
    head: number;
    today: string;
    webhookId: string | null;
    sequence: number | null;
  }>({
    name: "look-for-new",
    text: `SELECT chains.chain_id AS "chainId", chains.last_position AS head, (clock_timestamp() AT TIME ZONE 'utc')::date AS today,
             n.webhook_id AS "webhookId", n.sequence
           FROM chains LEFT JOIN json_to_recordset($1) AS c("chainId" text, position bigint, since date) ON c."chainId" = chains.chain_id
           LEFT JOIN LATERAL (
             SELECT webhook_id, max(sequence) AS sequence FROM notifications
             WHERE chains.last_position > c.position AND shard = ANY($2::smallint[]) AND chain_id = chains.chain_id
               AND position > c.position AND position <= c.position + $3 AND recorded_on >= c.since - 1
             GROUP BY webhook_id) n ON true`,
    values: [JSON.stringify(known), allShards, positionsAtOnce],
  });
  const lookedAt = new Map<string, { position: number; since: string }>();
  const newest = new Map<string, number>();
  let more = false;
  for (const { chainId, head, today, webhookId, sequence } of rows) {
    const from = before.get(chainId);
    const position = from ? Math.min(head, from.position + positionsAtOnce) : before.size > 0 ? 0 : head;
    more ||= position < head;
    // Behind the head there may still be something of the day before.
    lookedAt.set(chainId, { position, since: from && position < head ? from.since : today });
    if (webhookId !== null && sequence !== null) newest.set(webhookId, Math.max(sequence, newest.get(webhookId) ?? 0));
  }
  return { lookedAt, more, newest };
}

/** A feed that exists. */
type FoundFeed = { webhookId: string; lastSequence: number };

/**
 * @param wanted.webhookId absent for the account's operational webhook, which no other feed shows
 * @returns those that are the account's, by their place in the list; undefined for others
 */
export async function findFeeds(
  db: Queryable,
  wanted: readonly { webhookId?: string; accountId: number }[],
): Promise<(FoundFeed | undefined)[]> {
  const { rows } = await db.query<FoundFeed & { place: number }>({
    name: "find-feeds",
    text: `SELECT p.place, w.id AS "webhookId", s.last_sequence AS "lastSequence"
           FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS p(webhook_id, account_id, place)
           CROSS JOIN LATERAL (
             SELECT id FROM webhooks WHERE id = p.webhook_id AND account_id = p.account_id AND chain_id <> 'operational'
             UNION ALL
             SELECT id FROM webhooks WHERE p.webhook_id IS NULL AND account_id = p.account_id AND chain_id = 'operational') w
           JOIN webhook_sequences s ON s.webhook_id = w.id`,
    values: [wanted.map(({ webhookId = null }) => webhookId), wanted.map(({ accountId }) => accountId)],
  });
  const found = new Map(rows.map(({ place, ...feed }) => [place, feed]));
  return wanted.map((_, index) => found.get(index + 1));
}

/** @returns the webhooks among these that exist */
export async function findExisting(db: Queryable, webhookIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>("SELECT id FROM webhooks WHERE id = ANY($1::uuid[])", [webhookIds]);
  return new Set(rows.map(({ id }) => id));
}

/** A notification as it is stored. */
export type FedNotification = { sequence: number; messageId: string; eventText: string };

/** What a reader gets. */
export type FedPage = {
  notifications: FedNotification[];
  /** What changes their texts where they are sent. */
  options: Pick<WebhookOptions, "abi" | "compatibility">;
  /** In characters. */
  size: number;
};

type Place = {
  place: number;
  sequence: number;
  messageId: string;
  recordedOn: string;
  eventId: number;
  size: number;
};

/** In bytes of their events: of a reader's page, and of all pages of one call. One notification may be longer. */
const pageBytes = 1_048_576;
const bytesAtOnce = 8_388_608;
/** No text is longer. What is read was chosen by its size. */
const longestText = 2 ** 31 - 1;

/**
 * Reads the next pages of several feeds. All that is stored counts, also what another cell recorded: its payload is known, though not its outcome.
 *
 * @returns by their place in the list; undefined for those that must be read again: there was no room for them, or all of it was dropped meanwhile
 */
export async function readFeedPages(
  db: Queryable,
  wanted: readonly { webhookId: string; after: number; limit: number }[],
): Promise<(FedPage | undefined)[]> {
  const { rows } = await db.query<Place>({
    name: "read-feed-places",
    text: `SELECT p.place, n.sequence, n.message_id AS "messageId", n.recorded_on AS "recordedOn", n.event_id AS "eventId", e.size
           FROM unnest($1::uuid[], $2::bigint[], $3::int[]) WITH ORDINALITY AS p(webhook_id, after, count, place)
           CROSS JOIN LATERAL (
             SELECT * FROM notifications WHERE webhook_id = p.webhook_id AND sequence > p.after ORDER BY sequence LIMIT p.count) n
           CROSS JOIN LATERAL (
             SELECT octet_length(body) AS size FROM events WHERE recorded_on = n.recorded_on AND id = n.event_id LIMIT 1) e
           ORDER BY p.place, n.sequence`,
    values: [
      wanted.map(({ webhookId }) => webhookId),
      wanted.map(({ after }) => after),
      wanted.map(({ limit }) => limit),
    ],
  });
  const pages = new Map<number, Place[]>(wanted.map((_, index) => [index + 1, []]));
  for (const row of rows) pages.get(row.place)?.push(row);
  let left = bytesAtOnce;
  const chosen = [...pages.values()].map((places) => {
    if (left <= 0) return undefined;
    const fitting = firstThatFit(places, Math.min(left, pageBytes));
    left -= fitting.reduce((sum, { size }) => sum + size, 0);
    return fitting;
  });
  const events = chosen.flatMap((places) => places ?? []);
  const texts = await readEventTexts(db, events, events.length * longestText);
  const options = await readOptions(db, [...new Set(wanted.map(({ webhookId }) => webhookId))]);
  return chosen.map((places, index) => {
    if (!places) return undefined;
    const notifications: FedNotification[] = [];
    for (const { sequence, messageId, eventId } of places) {
      const eventText: string | null | undefined = texts.get(eventId);
      // Its day was dropped meanwhile.
      if (typeof eventText !== "string") continue;
      notifications.push({ sequence, messageId, eventText });
    }
    if (places.length > 0 && notifications.length === 0) return undefined;
    const own = options.get(wanted[index]?.webhookId ?? "") ?? {};
    const ofTexts = notifications.reduce((sum, { eventText }) => sum + eventText.length, 0);
    return { notifications, options: own, size: ofTexts + (own.abi ? JSON.stringify(own.abi).length : 0) };
  });
}

/** At least the first. */
function firstThatFit(places: readonly Place[], bytes: number): Place[] {
  let left = bytes;
  return places.filter(({ size }, index) => {
    const fits = index === 0 || left >= size;
    left = fits ? left - size : 0;
    return fits;
  });
}

async function readOptions(db: Queryable, ids: readonly string[]): Promise<Map<string, FedPage["options"]>> {
  const { rows } = await db.query<{ id: string; abi: unknown; compatibility: WebhookOptions["compatibility"] | null }>({
    name: "read-feed-options",
    text: `SELECT id, options -> 'abi' AS abi, options ->> 'compatibility' AS compatibility FROM webhooks
           WHERE id = ANY($1::uuid[]) AND (options -> 'abi' IS NOT NULL OR options -> 'compatibility' IS NOT NULL)`,
    values: [ids],
  });
  return new Map(
    rows.map(({ id, abi, compatibility }) => [
      id,
      { ...(abi ? { abi: abi as NonNullable<WebhookOptions["abi"]> } : {}), ...(compatibility && { compatibility }) },
    ]),
  );
}
