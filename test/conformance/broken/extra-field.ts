import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "adds a field to pages",
  rules: ["response-schema"],
  answer({ body }) {
    if (body.webhooks) body.total = body.webhooks.length;
  },
};
