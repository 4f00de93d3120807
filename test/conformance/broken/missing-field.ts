import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "leaves statusReason out of a record",
  rules: ["response-schema"],
  answer({ body }) {
    delete body.statusReason;
  },
};
