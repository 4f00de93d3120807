import { type Breakage, signedAgain } from "../breakage.ts";

export const broken: Breakage = {
  says: "sends Glacier's form in the usual order of fields",
  rules: ["callback-compatibility"],
  async notify(notification, ask) {
    if (notification.headers["x-signature"] === undefined) return;
    const { webhookId, eventType, messageId, event } = notification.body;
    notification.body = { webhookId, eventType, messageId, event };
    await signedAgain(notification, ask);
  },
};
