import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "does not count what a replay adds",
  rules: ["replay-finishes"],
  needs: "chain",
  answer({ body }) {
    if (body.addedCount !== undefined) body.addedCount = 0;
  },
};
