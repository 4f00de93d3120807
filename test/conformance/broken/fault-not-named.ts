import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "does not say which field is wrong",
  rules: ["error-names-the-field"],
  answer({ status, body }) {
    if (status === 400) body.message = "The request is wrong.";
  },
};
