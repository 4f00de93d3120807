import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "writes the same createdAt into every new webhook",
  rules: ["times-in-milliseconds"],
  answer({ body }) {
    for (const record of [body, ...(body.webhooks ?? [])]) if (record.createdAt) record.createdAt = 1_700_000_000_000;
  },
};
