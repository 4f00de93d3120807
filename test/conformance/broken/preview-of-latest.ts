import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "previews another block than it was asked for",
  rules: ["preview-of-block"],
  needs: "chain",
  answer({ body }) {
    if (body.matchCount === 0 && body.blockNumber) body.blockNumber = String(BigInt(body.blockNumber) + 1n);
  },
};
