import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "names another charset than UTF-8",
  rules: ["charset-utf-8"],
  answer({ headers }) {
    headers["content-type"] = "application/json; charset=iso-8859-1";
  },
};
