import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "forgets the finality of a webhook",
  rules: ["finality-shown"],
  answer({ body }) {
    for (const record of [body, ...(body.webhooks ?? [])]) {
      delete record.finality;
      delete record.heldCount;
    }
  },
};
