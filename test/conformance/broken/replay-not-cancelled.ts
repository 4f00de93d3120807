import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "answers a cancellation, and the replay goes on",
  rules: ["replay-cancelled"],
  needs: "chain",
  answer({ status, body }, { method, path }) {
    if (status !== 200 || method !== "DELETE" || !path.includes("/replays/")) return;
    body.status = "running";
    delete body.finishedAt;
  },
};
