import { type Breakage, payloadsIn, signedAgain } from "../breakage.ts";

const none = `0x${"0".repeat(40)}`;

export const broken: Breakage = {
  says: "does not name the contract that a transaction created",
  rules: ["payload-as-on-chain"],
  needs: "chain",
  answer({ body }) {
    for (const { event } of payloadsIn(body)) event.transaction.contractAddress = none;
  },
  async notify(notification, ask) {
    if (Array.isArray(notification.body)) return;
    notification.body.event.transaction.contractAddress = none;
    await signedAgain(notification, ask);
  },
};
