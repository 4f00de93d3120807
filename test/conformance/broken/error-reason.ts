import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "answers 404 with another reason phrase",
  rules: ["error-shape"],
  answer({ status, body }) {
    if (status === 404) body.error = "NotFound";
  },
};
