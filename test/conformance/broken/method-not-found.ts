import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "answers 404 for a method that a path does not have",
  rules: ["method-405"],
  async answer(answer, _request, ask) {
    if (answer.status === 405) Object.assign(answer, await ask("GET", "/v1/nothing"));
  },
};
