import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "explains every transaction as notified",
  rules: ["explanation-of-others"],
  needs: "chain",
  answer({ body }) {
    if (body.reason === "not_watched" && body.notifications)
      Object.assign(body, { notified: true, reason: "notified" });
  },
};
