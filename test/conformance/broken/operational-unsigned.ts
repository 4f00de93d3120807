import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "sends operational events without a signature",
  rules: ["callback-signed"],
  tell({ headers }) {
    delete headers["webhook-signature"];
  },
};
