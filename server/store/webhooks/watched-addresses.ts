/** Reads a chain's watched addresses of all webhooks in bulk: 20 bytes each, concatenated. */
import type { Queryable } from "../pool.ts";

const addressBytes = 20;
const addressesARead = 50_000;

/** @returns an upper bound of their number; an address counts once for each webhook that watches it */
export async function watchedAtMost(db: Queryable, chainId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "SELECT COALESCE(sum(address_count), 0)::bigint AS count FROM webhooks WHERE chain_id = $1",
    [chainId],
  );
  return rows[0]?.count ?? 0;
}

/** @returns the addresses that take effect from this block on or later; undefined if there are more than `limit` */
export async function addedSince(
  db: Queryable,
  chainId: string,
  { block, limit, hasFactories }: { block: number; limit: number; hasFactories: boolean },
): Promise<Buffer | undefined> {
  const { rows: additions } = await db.query<{ id: number }>({
    name: "additions-since",
    text: "SELECT id FROM address_additions WHERE chain_id = $1 AND effective_from_block >= $2",
    values: [chainId, block],
  });
  const factories = hasFactories ? await readFactories(db, chainId, block) : Buffer.alloc(0);
  if (additions.length === 0) return factories;
  // Without a name, so that it is planned for these additions. A generic plan would read the whole table.
  const { rows } = await db.query<{ addresses: Buffer | null }>(
    `SELECT string_agg(address, '') AS addresses
     FROM (SELECT address FROM webhook_addresses WHERE addition = ANY($1::bigint[]) LIMIT $2) added`,
    [additions.map(({ id }) => id), limit + 1],
  );
  const addresses = rows[0]?.addresses ?? Buffer.alloc(0);
  return addresses.length > limit * addressBytes ? undefined : Buffer.concat([addresses, factories]);
}

/** @returns the factories of webhooks that take effect from this block on or later */
async function readFactories(db: Queryable, chainId: string, block: number): Promise<Buffer> {
  const { rows } = await db.query<{ addresses: Buffer | null }>({
    name: "factories-since",
    // In the order of their index, or PostgreSQL would read all of the chain's webhooks.
    text: `SELECT string_agg(decode(substr(factory, 3), 'hex'), '') AS addresses FROM (
             SELECT options -> 'createdBy' ->> 'address' AS factory FROM webhooks
             WHERE chain_id = $1 AND options -> 'createdBy' ->> 'address' IS NOT NULL AND effective_from_block >= $2
             ORDER BY chain_id, effective_from_block OFFSET 0) w`,
    values: [chainId, block],
  });
  return rows[0]?.addresses ?? Buffer.alloc(0);
}

/** Reads all addresses, factories included, in several statements, so the caller's transaction must see one snapshot. Ten million take about 20 s. */
export async function* readAddresses(db: Queryable, chainId: string): AsyncGenerator<Buffer> {
  yield await readFactories(db, chainId, -1);
  let part = await readPart(db, chainId, Buffer.alloc(0));
  while (part) {
    yield part.addresses;
    part = await readPart(db, chainId, part.last);
  }
}

type Part = { addresses: Buffer; last: Buffer };

/** @param after only those after this one */
async function readPart(db: Queryable, chainId: string, after: Buffer): Promise<Part | undefined> {
  // The last one is selected separately, since an aggregate need not keep the order of its input.
  const { rows } = await db.query<Part>({
    name: "read-addresses",
    text: `WITH part AS MATERIALIZED (
             SELECT address FROM webhook_addresses WHERE chain_id = $1 AND address > $2 ORDER BY address LIMIT $3)
           SELECT string_agg(address, '') AS addresses, (SELECT address FROM part ORDER BY address DESC LIMIT 1) AS last
           FROM part HAVING count(*) > 0`,
    values: [chainId, after, addressesARead],
  });
  return rows[0];
}
