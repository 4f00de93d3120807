import { type Breakage, signedAgain } from "../breakage.ts";

export const broken: Breakage = {
  says: "sends blockTimestamp in milliseconds",
  rules: ["block-timestamp-in-seconds"],
  async notify(notification, ask) {
    // A batch passes.
    if (Array.isArray(notification.body)) return;
    notification.body.event.transaction.blockTimestamp *= 1000;
    await signedAgain(notification, ask);
  },
};
