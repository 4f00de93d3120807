/** What the contracts of tokens say of themselves. */
import type { components } from "../../../generated/types.ts";
import type { Queryable } from "../pool.ts";

type Metadata = Pick<components["schemas"]["TransferredToken"], "name" | "symbol" | "decimals">;

const bytes = (hex: string) => Buffer.from(hex.slice(2), "hex");

/** @param contracts in lower case @returns those that were read, by contract */
export async function findTokens(
  db: Queryable,
  chainId: string,
  contracts: readonly string[],
): Promise<Map<string, Metadata>> {
  const { rows } = await db.query<Metadata & { address: Buffer }>({
    name: "find-tokens",
    text: "SELECT address, name, symbol, decimals FROM tokens WHERE chain_id = $1 AND address = ANY($2::bytea[])",
    values: [chainId, contracts.map(bytes)],
  });
  return new Map(rows.map(({ address, ...metadata }) => [`0x${address.toString("hex")}`, metadata]));
}

/** Keeps what was read first, if another process was faster. */
export async function recordTokens(
  db: Queryable,
  { chainId, block }: { chainId: string; block: number },
  tokens: ReadonlyMap<string, Metadata>,
): Promise<void> {
  const metadata = [...tokens.values()];
  await db.query(
    `INSERT INTO tokens (chain_id, address, name, symbol, decimals, read_at_block)
     SELECT $1, t.*, $6 FROM unnest($2::bytea[], $3::text[], $4::text[], $5::smallint[]) t
     ORDER BY 2 ON CONFLICT DO NOTHING`,
    [
      ...[chainId, [...tokens.keys()].map(bytes)],
      ...[metadata.map(({ name }) => name), metadata.map(({ symbol }) => symbol)],
      ...[metadata.map(({ decimals }) => decimals), block],
    ],
  );
}
