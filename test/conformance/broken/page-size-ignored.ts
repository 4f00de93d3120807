import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "gives pages of addresses one more than was asked for",
  rules: ["pagination-page-size"],
  request(request) {
    request.path = request.path.replace(/(\/addresses.*pageSize=)3\b/, "$14");
    return undefined;
  },
};
