import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "ignores conditions",
  rules: ["conditions-shown", "conditions-refused"],
  request({ body }) {
    delete body?.metadata?.conditions;
    return undefined;
  },
};
