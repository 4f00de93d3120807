import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "counts an attempt of what is only read by the feed",
  rules: ["feed-only"],
  needs: "chain",
  answer({ status, body }, { path }) {
    if (status !== 200 || !/\/notifications\?.*status=delivered/.test(path)) return;
    for (const record of body.notifications ?? []) if (record.attemptCount === 0) record.attemptCount = 1;
  },
};
