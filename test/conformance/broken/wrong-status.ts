import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "creates with 200 instead of 201",
  rules: ["status-documented"],
  answer(answer) {
    if (answer.status === 201) answer.status = 200;
  },
};
