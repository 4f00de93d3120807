import { type Breakage, payloadsIn, signedAgain } from "../breakage.ts";

export const broken: Breakage = {
  says: "leaves the last log out of a notification with several",
  rules: ["logs-complete"],
  needs: "chain",
  answer({ body }) {
    for (const { event } of payloadsIn(body)) if (event.logs?.length > 1) event.logs.pop();
  },
  async notify(notification, ask) {
    if (notification.headers["webhook-sequence"] === "0") return;
    if (notification.body.event.logs?.length > 1) notification.body.event.logs.pop();
    await signedAgain(notification, ask);
  },
};
