/**
 * Receives notifications in Express, handles each once, and takes back what a reorganisation removed.
 *
 *   WEBHOOK_SECRET=whsec_… npx tsx express-receiver.ts
 */
import { type AddressActivityNotification, createExpressReceiver } from "chain-webhooks/receiver";
import express from "express";

/** What each watched address received in native coin, by transaction. A real program keeps this in a database. */
const received = new Map<string, bigint>();

/** Delivery is at least once: the same messageId can come twice. */
const handled = new Set<string>();

function handle({ messageId, event }: AddressActivityNotification): void {
  if (handled.has(messageId)) return;
  handled.add(messageId);
  const { txHash, to, value } = event.transaction;
  if (event.removed) received.delete(txHash);
  else received.set(txHash, BigInt(value));
  console.log(event.removed ? "retracted" : "received", value, "to", to, "in", txHash);
}

const receive = createExpressReceiver({
  secret: process.env.WEBHOOK_SECRET ?? "",
  onNotification: handle,
  onError: (error) => console.error("The service will retry:", error),
});

const app = express();
// Before express.json: the signature covers the bytes as they arrived.
app.post("/hooks", receive);
app.use(express.json());
app.get("/total", (_request, response) => {
  response.json({ total: [...received.values()].reduce((sum, value) => sum + value, 0n).toString() });
});

const port = Number(process.env.PORT || 4000);
app.listen(port, () => console.log(`Listening at http://127.0.0.1:${port}/hooks`));
