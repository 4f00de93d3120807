import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "sends the timestamp in milliseconds",
  rules: ["callback-timestamp"],
  notify({ headers }) {
    headers["webhook-timestamp"] = `${headers["webhook-timestamp"]}000`;
  },
};
