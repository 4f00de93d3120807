import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "sends the same webhook-sequence with every notification",
  rules: ["callback-sequence"],
  needs: "chain",
  notify({ headers }) {
    if (headers["webhook-sequence"] !== "0") headers["webhook-sequence"] = "1";
  },
};
