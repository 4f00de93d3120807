import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "explains what was notified without its notifications",
  rules: ["explanation-of-notified"],
  needs: "chain",
  answer({ body }) {
    if (body.reason === "notified" && body.notifications) body.notifications = [];
  },
};
