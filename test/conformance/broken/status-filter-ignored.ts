import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "lists webhooks of any status",
  rules: ["list-by-status"],
  async request(request) {
    request.path = request.path.replace("?status=active", "");
    return undefined;
  },
};
