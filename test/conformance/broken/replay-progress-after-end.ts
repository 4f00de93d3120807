import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "says when a replay will be done after it is done",
  rules: ["replay-progress"],
  needs: "chain",
  answer({ body }) {
    if (body.status !== "done" || body.resentCount === undefined) return;
    Object.assign(body, { blocksPerSecond: 10, finishesAt: body.finishedAt });
  },
};
