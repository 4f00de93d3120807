import { type Breakage, signedAgain } from "../breakage.ts";

export const broken: Breakage = {
  says: "decodes no log",
  rules: ["logs-decoded"],
  needs: "chain",
  async notify(notification, ask) {
    for (const log of notification.body.event?.logs ?? []) delete log.decoded;
    await signedAgain(notification, ask);
  },
};
