import { type Breakage, signedAgain } from "../breakage.ts";

export const broken: Breakage = {
  says: "leaves the call frames out of a test",
  rules: ["callback-internal-txs"],
  async notify(notification, ask) {
    const { transaction } = notification.body.event ?? {};
    if (!transaction?.internalTransactions) return;
    delete transaction.internalTransactions;
    await signedAgain(notification, ask);
  },
};
