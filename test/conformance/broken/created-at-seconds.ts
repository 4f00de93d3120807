import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "writes createdAt in seconds",
  rules: ["times-in-milliseconds"],
  answer({ body }) {
    for (const record of [body, ...(body.webhooks ?? [])])
      if (record.createdAt) record.createdAt = Math.floor(record.createdAt / 1000);
  },
};
