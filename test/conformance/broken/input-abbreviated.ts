import { type Breakage, payloadsIn, signedAgain } from "../breakage.ts";

export const broken: Breakage = {
  says: "sends the first four bytes of an input only",
  rules: ["payload-as-on-chain"],
  needs: "chain",
  answer({ body }) {
    for (const { event } of payloadsIn(body)) event.transaction.input = event.transaction.input.slice(0, 10);
  },
  async notify(notification, ask) {
    if (Array.isArray(notification.body)) return;
    const { transaction } = notification.body.event;
    transaction.input = transaction.input.slice(0, 10);
    await signedAgain(notification, ask);
  },
};
