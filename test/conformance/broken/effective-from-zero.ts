import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "reports every webhook as effective from block 0",
  rules: ["effective-from-next-block", "history-shown"],
  needs: "chain",
  answer({ body }) {
    for (const record of [body, ...(body.webhooks ?? [])])
      if (record.effectiveFromBlock) record.effectiveFromBlock = "0";
  },
};
