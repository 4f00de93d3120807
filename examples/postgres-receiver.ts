/**
 * Writes each notification to PostgreSQL exactly once, and reports which sequences are missing.
 *
 *   DATABASE_URL=postgres://… WEBHOOK_SECRET=whsec_… npx tsx postgres-receiver.ts
 */
import { createServer } from "node:http";
import { createExpressReceiver } from "chain-webhooks/receiver";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
await pool.query(`
  CREATE TABLE IF NOT EXISTS received (
    message_id uuid PRIMARY KEY,
    webhook_id uuid NOT NULL,
    sequence bigint NOT NULL,
    tx_hash text NOT NULL,
    removed boolean NOT NULL,
    event jsonb NOT NULL
  )`);

/** Sequences have no gaps, so a number that is not here is still on its way, or failed. */
const missing = `
  SELECT webhook_id, expected AS sequence
  FROM (SELECT webhook_id, max(sequence) AS last FROM received GROUP BY webhook_id) AS webhooks,
    generate_series(1, last) AS expected
  WHERE NOT EXISTS (SELECT FROM received WHERE webhook_id = webhooks.webhook_id AND sequence = expected)
  ORDER BY 1, 2`;

const receive = createExpressReceiver({
  secret: (process.env.WEBHOOK_SECRET ?? "").split(","),
  async onNotification({ messageId, webhookId, event }, { sequence }) {
    if (sequence === 0) return; // A test, whose event did not happen.
    const { txHash } = event.transaction;
    // A duplicate changes nothing. If this throws, the service retries.
    await pool.query("INSERT INTO received VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (message_id) DO NOTHING", [
      messageId,
      webhookId,
      sequence,
      txHash,
      event.removed ?? false,
      JSON.stringify(event),
    ]);
  },
  onError: (error) => console.error("The service will retry:", error),
});

const server = createServer(async (request, response) => {
  if (request.url === "/hooks") return receive(request, response);
  if (request.url !== "/missing") return response.writeHead(404).end();
  const { rows } = await pool.query(missing);
  response.setHeader("content-type", "application/json").end(JSON.stringify(rows));
});

const port = Number(process.env.PORT || 4000);
server.listen(port, () => console.log(`Listening at http://127.0.0.1:${port}/hooks`));
