import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "tells that every test was delivered",
  rules: ["test-result"],
  answer({ body }) {
    if ("delivered" in body) body.delivered = true;
  },
};
