import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "sends notifications without the transaction's nonce",
  rules: ["callback-payload"],
  notify({ body }) {
    delete body.event?.transaction.nonce;
  },
};
