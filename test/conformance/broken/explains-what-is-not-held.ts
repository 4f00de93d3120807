import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "explains how many blocks are missing where nothing is held",
  rules: ["explanation-agrees"],
  needs: "chain",
  answer({ body }) {
    if (body.reason && body.notifications) body.missingBlocks = 0;
  },
};
