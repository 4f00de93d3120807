import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "ignores conditions",
  rules: ["conditions-shown", "conditions-refused"],
  request({ body }) {
    const { all, any } = body?.metadata?.conditions ?? {};
    // Those of two comparisons: what is no condition at all is refused, as by others.
    if (all?.length === 2 || any?.length === 2) delete body.metadata.conditions;
    return undefined;
  },
};
