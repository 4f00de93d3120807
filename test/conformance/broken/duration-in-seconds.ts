import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "gives the time that an endpoint took in seconds",
  rules: ["test-result"],
  answer({ body }, { path }) {
    if (path.endsWith("/test") && body.durationMs !== undefined) body.durationMs = Math.floor(body.durationMs / 1000);
  },
};
