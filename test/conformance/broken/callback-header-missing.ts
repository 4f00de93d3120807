import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "sends notifications without their sequence",
  rules: ["callback-headers"],
  notify({ headers }) {
    delete headers["webhook-sequence"];
  },
};
