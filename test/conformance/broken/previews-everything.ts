import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "previews every transaction as one that matches",
  rules: ["preview-of-others", "preview-decides"],
  needs: "chain",
  answer({ body }) {
    for (const transaction of Array.isArray(body.transactions) ? body.transactions : []) {
      if (transaction.matches) continue;
      Object.assign(transaction, { matches: true, reason: "matches" });
      body.matchCount += 1;
    }
  },
};
