/**
 * Keeps a ledger of token transfers in PostgreSQL: each of them once, whatever is repeated, reordered, reorganised or killed. Run as many as you like.
 *
 *   BASE_URL=… API_KEY=… WEBHOOK_ID=… WEBHOOK_SECRET=whsec_… DATABASE_URL=postgres://… npx tsx ledger.ts
 */
import { createServer } from "node:http";
import { createWebhooksClient } from "chain-webhooks/client";
import { createConsumer, type HandlerContext, type PostgresTransaction, postgresStore } from "chain-webhooks/consumer";
import { type AddressActivityNotification, createNodeReceiver, transfersOf } from "chain-webhooks/receiver";
import pg from "pg";

const { BASE_URL = "", API_KEY = "", WEBHOOK_ID = "", WEBHOOK_SECRET = "", DATABASE_URL, PORT, LEASE_MS } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL });
// No unique key is needed: a row is committed together with the consumer's position.
await pool.query(`
  CREATE TABLE IF NOT EXISTS ledger (
    sequence bigint NOT NULL, tx_hash text NOT NULL, token text NOT NULL, holder text NOT NULL, amount numeric NOT NULL
  )`);

/** Books both sides of each transfer. @param sign -1n takes back what a block had that has left the chain */
async function book(
  notification: AddressActivityNotification,
  { sequence, transaction }: HandlerContext<PostgresTransaction>,
  sign: bigint,
): Promise<void> {
  for (const transfer of transfersOf(notification)) {
    if (transfer.type !== "ERC20") continue;
    const amount = sign * BigInt(transfer.value);
    await transaction.query("INSERT INTO ledger VALUES ($1, $2, $3, $4, $6), ($1, $2, $3, $5, -$6::numeric)", [
      ...[sequence, transfer.transactionHash, transfer.erc20Token.address, transfer.to, transfer.from],
      String(amount),
    ]);
  }
}

const consumer = createConsumer({
  webhookId: WEBHOOK_ID,
  client: createWebhooksClient({ baseUrl: BASE_URL, apiKey: API_KEY }),
  secret: WEBHOOK_SECRET,
  store: postgresStore(pool),
  onNotification: (notification, context) => book(notification, context, 1n),
  onRetraction: (notification, context) => book(notification, context, -1n),
  leaseMs: Number(LEASE_MS || 30_000),
  onError: (error) => console.error(error.message),
});

const server = createServer(createNodeReceiver(consumer.receiver));
server.listen(Number(PORT || 4000), () => console.log("Listening"));
consumer.start();

process.once("SIGTERM", async () => {
  server.close();
  await consumer.stop();
  await pool.end();
});
