import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "answers JSON to who accepts a stream of events",
  rules: ["feed-streams"],
  needs: "chain",
  request(request) {
    if (request.headers.accept === "text/event-stream") request.headers.accept = "application/json";
    return undefined;
  },
};
