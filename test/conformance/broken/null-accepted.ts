import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "takes null for a field that is not given",
  rules: ["bad-request-400"],
  request({ body }) {
    // Of headers it means that there are none.
    for (const [field, value] of Object.entries(body ?? {}))
      if (value === null && field !== "headers") delete body[field];
    return undefined;
  },
};
