import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "streams a feed without ids",
  rules: ["feed-streams"],
  needs: "chain",
  answer(answer, { headers }) {
    if (headers.accept === "text/event-stream") answer.body = answer.body.replaceAll(/^id: .*\n/gm, "");
  },
};
