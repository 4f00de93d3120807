import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "sends notifications without a signature",
  rules: ["callback-signed"],
  notify({ headers }) {
    delete headers["webhook-signature"];
  },
};
