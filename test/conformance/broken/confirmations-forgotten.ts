import { type Breakage, signedAgain } from "../breakage.ts";

export const broken: Breakage = {
  says: "does not say how many confirmations a block has",
  rules: ["callback-finality"],
  async notify(notification, ask) {
    const { event } = notification.body;
    if (event?.confirmations === undefined) return;
    delete event.confirmations;
    await signedAgain(notification, ask);
  },
};
