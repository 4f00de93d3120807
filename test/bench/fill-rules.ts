/** Gives webhooks of `bench:match` what makes matching dearest: conditions, events to decode, transfers, and any address. */
import type { Pool } from "../../server/store/pool.ts";

export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const zero = `0x${"0".repeat(40)}`;
const compare = (field: string, op: string, value: string) => ({ field, op, value });

const ofTransfers = {
  all: [
    compare("transfer.direction", "eq", "in"),
    { any: [compare("transfer.value", "gte", "1000000"), compare("transfer.standard", "ne", "erc20")] },
  ],
};
const abi = [
  {
    type: "event",
    name: "Transfer",
    inputs: [
      { name: "from", type: "address", indexed: true },
      { name: "to", type: "address", indexed: true },
      { name: "amount", type: "uint256" },
    ],
  },
];
const ofArguments = { all: [compare("args.amount", "gt", "0"), { not: compare("args.from", "eq", zero) }] };
/** Every mint of any ERC-721. */
const mint = { all: [compare("transfer.standard", "eq", "erc721"), compare("transfer.from", "eq", zero)] };

const withAbi = 1_000;
const anywhere = 100;

/** A tenth of the webhooks has conditions, 1,000 of them on decoded events; all want transfers; 100 more watch any address. */
export async function fillRules(pool: Pool, chainId: string): Promise<void> {
  await pool.query(
    `UPDATE webhooks w SET options = (CASE WHEN n.number <= $1 THEN $2 WHEN n.number % 10 = 0 THEN $3 ELSE $4 END)::json
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM webhooks) n WHERE n.id = w.id`,
    [
      withAbi,
      JSON.stringify({ includeTransfers: true, abi, conditions: ofArguments }),
      JSON.stringify({ includeTransfers: true, conditions: ofTransfers }),
      JSON.stringify({ includeTransfers: true }),
    ],
  );
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO webhooks (id, account_id, shard, chain_id, url, status, status_reason, status_since, created_at, name, description,
       event_type, event_signatures, include_internal_txs, include_logs, effective_from_block, address_count, options)
     SELECT gen_random_uuid(), (SELECT min(id) FROM accounts), i % 32, $2, 'https://example.com', 'active', 'created', now(), now(), '', '',
       'address_activity', ARRAY[decode(substr($3, 3), 'hex')], false, false, 0, 0, $4::json FROM generate_series(1, $1::int) i RETURNING id`,
    [anywhere, chainId, transferTopic, JSON.stringify({ anyAddress: true, conditions: mint })],
  );
  await pool.query("INSERT INTO webhook_sequences SELECT unnest($1::uuid[])", [rows.map(({ id }) => id)]);
  await pool.query("VACUUM ANALYZE webhooks");
}
