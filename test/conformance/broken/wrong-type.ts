import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "writes times as texts",
  rules: ["response-schema"],
  answer({ body }) {
    for (const record of body.webhooks ?? [body])
      if (record.createdAt) record.createdAt = new Date(record.createdAt).toISOString();
  },
};
