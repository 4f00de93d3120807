import { type Breakage, signedAgain } from "../breakage.ts";

export const broken: Breakage = {
  says: "sends a webhook with batches a single notification as it is, and not in an array",
  rules: ["callback-batch"],
  async notify(notification, ask) {
    const { body, headers } = notification;
    if (!Array.isArray(body)) return;
    notification.body = body[0];
    headers["webhook-id"] = body[0].messageId;
    await signedAgain(notification, ask);
  },
};
