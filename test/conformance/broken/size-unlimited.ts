import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "reads bodies of any size",
  rules: ["too-large-413"],
  request(request) {
    if (String(request.body?.name ?? "").length > 1_000_000) request.body = { colour: "red" };
    return undefined;
  },
};
