import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "creates without a Location",
  rules: ["response-headers"],
  answer({ headers }) {
    delete headers.location;
  },
};
