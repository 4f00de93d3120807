import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "previews payloads without the logs that are asked for",
  rules: ["preview-as-notified"],
  needs: "chain",
  answer({ body }) {
    for (const { payload } of Array.isArray(body.transactions) ? body.transactions : []) delete payload?.event.logs;
  },
};
