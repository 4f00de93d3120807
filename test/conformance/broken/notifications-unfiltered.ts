import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "ignores the status in a list of notifications",
  rules: ["list-by-status"],
  needs: "chain",
  request(request) {
    if (request.path.includes("/notifications?")) request.path = request.path.replace(/status=\w+&?/, "");
    return undefined;
  },
};
