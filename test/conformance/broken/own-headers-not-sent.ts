import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "keeps the headers of a webhook, and does not send them",
  rules: ["callback-own-headers"],
  notify({ headers }) {
    delete headers.authorization;
    delete headers["x-kit"];
  },
};
