import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "takes a finality that its chain does not have",
  rules: ["finality-refused"],
  answer({ body }) {
    for (const chain of body.chains ?? []) delete chain.finality;
  },
};
