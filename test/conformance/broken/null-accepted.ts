import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "takes null for a field that is not given",
  rules: ["bad-request-400"],
  request({ body }) {
    for (const [field, value] of Object.entries(body ?? {})) if (value === null) delete body[field];
    return undefined;
  },
};
