import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "answers 404 with a page for people",
  rules: ["content-type"],
  answer(answer) {
    if (answer.status === 404)
      Object.assign(answer, { headers: { "content-type": "text/html" }, body: "<h1>404</h1>" });
  },
};
