import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "answers a feed without anything new at once",
  rules: ["feed-waits"],
  needs: "chain",
  request(request) {
    request.path = request.path.replace(/wait=1\b/, "wait=0");
    return undefined;
  },
};
