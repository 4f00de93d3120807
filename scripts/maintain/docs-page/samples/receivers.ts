/**
 * How a notification is received with the package's receiver. Written by hand, since the contract does not describe what a
 * receiver does with a notification; that they compile and receive is tested.
 */

/** A sample with the name of what it is for. */
export type ReceiverSample = { title: string; source: string };

/** For each kind of server that there is a receiver for. */
export const receiverSamples: readonly ReceiverSample[] = [
  {
    title: "Receive it with Express, or any server on node:http",
    source: `import { createExpressReceiver } from "chain-webhooks/receiver";
import express from "express";

const receive = createExpressReceiver({
  secret: process.env.WEBHOOK_SECRET ?? "",
  onNotification: async ({ messageId, event }, { sequence }) => {
    const { txHash } = event.transaction;
    console.log(sequence, messageId, txHash, event.removed ? "retracted" : "happened");
  },
});

express().post("/hooks", receive).listen(4000);
`,
  },
  {
    title: "Receive it with servers that speak Fetch (Bun, Deno, Cloudflare Workers, Next.js)",
    source: `import { createFetchReceiver } from "chain-webhooks/receiver";

const receive = createFetchReceiver({
  secret: process.env.WEBHOOK_SECRET ?? "",
  onNotification: async ({ messageId, event }) => {
    for (const { address, topic0 } of event.logs ?? []) console.log(messageId, address, topic0);
  },
});

export { receive as POST };
`,
  },
];
