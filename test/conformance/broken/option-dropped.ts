import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "shows no metadata.ordered where that is the only option",
  rules: ["options-shown"],
  answer({ status, body }) {
    if (status === 201 && body.metadata?.ordered && !body.metadata.batch) delete body.metadata.ordered;
  },
};
