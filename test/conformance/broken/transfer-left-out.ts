import { type Breakage, signedAgain } from "../breakage.ts";

export const broken: Breakage = {
  says: "leaves the last transfer of a token out of a notification",
  rules: ["transfers-agree"],
  async notify(notification, ask) {
    const { erc20Transfers } = notification.body.event?.transaction ?? {};
    if (!erc20Transfers?.pop()) return;
    await signedAgain(notification, ask);
  },
};
