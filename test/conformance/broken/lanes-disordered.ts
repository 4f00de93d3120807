import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "lists the lane with traces first",
  rules: ["chains-agree"],
  answer({ body }) {
    for (const chain of body?.chains ?? []) chain.lanes = [{ traces: true }, { traces: false }];
  },
};
