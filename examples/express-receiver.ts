/**
 * Receives notifications in Express, handles each once, and takes back what a reorganisation removed.
 *
 *   WEBHOOK_SECRET=whsec_… npx tsx express-receiver.ts
 */
import {
  type AddressActivityNotification,
  createExpressReceiver,
  type NotificationAttempt,
} from "chain-webhooks/receiver";
import express from "express";

/** What each address received in native coin. A real program keeps this in a database. */
const received = new Map<string, bigint>();

/** Delivery is at least once: the same messageId can come twice. */
const handled = new Set<string>();

function handle({ messageId, event }: AddressActivityNotification, { sequence }: NotificationAttempt): void {
  if (sequence === 0 || handled.has(messageId)) return; // 0 is a test
  handled.add(messageId);
  const { to, value, txStatus } = event.transaction;
  if (!to || txStatus !== "1") return; // a failed transaction moves nothing
  // A retraction can come before what it retracts. Added and subtracted, both orders have the same sum.
  const change = event.removed ? -BigInt(value) : BigInt(value);
  received.set(to, (received.get(to) ?? 0n) + change);
  console.log(event.removed ? "retracted" : "received", value, "to", to);
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
app.get("/received/:address", ({ params }, response) => {
  response.json({ total: String(received.get(params.address) ?? 0n) });
});

const port = Number(process.env.PORT || 4000);
app.listen(port, () => console.log(`Listening at http://127.0.0.1:${port}/hooks`));
