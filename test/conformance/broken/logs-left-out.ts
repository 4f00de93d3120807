import { type Breakage, signedAgain } from "../breakage.ts";

export const broken: Breakage = {
  says: "leaves the last log out of a notification with several",
  rules: ["logs-complete"],
  needs: "chain",
  answer({ body }) {
    if (body.payload?.event.logs?.length > 1) body.payload.event.logs.pop();
  },
  async notify(notification, ask) {
    if (notification.headers["webhook-sequence"] === "0") return;
    if (notification.body.event.logs?.length > 1) notification.body.event.logs.pop();
    await signedAgain(notification, ask);
  },
};
