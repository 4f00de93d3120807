import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "returns only the last of a notification's attempts, but counts all",
  rules: ["notification-detail"],
  needs: "chain",
  answer({ body }) {
    if (body.attempts?.length > 1) body.attempts = body.attempts.slice(-1);
  },
};
