import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "tells errors in a shape of its own",
  rules: ["error-shape"],
  answer(answer) {
    if (answer.status >= 400) answer.body = { errors: [{ code: answer.status, detail: answer.body.message }] };
  },
};
