import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "reports every test as delivered",
  rules: ["test-result"],
  answer({ body }) {
    if ("delivered" in body) body.delivered = true;
  },
};
