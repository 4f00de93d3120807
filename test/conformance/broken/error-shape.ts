import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "reports errors in its own shape",
  rules: ["error-shape"],
  answer(answer) {
    if (answer.status >= 400) answer.body = { errors: [{ code: answer.status, detail: answer.body.message }] };
  },
};
