import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "writes a question mark for every letter that ASCII does not have",
  rules: ["charset-utf-8"],
  request({ body }) {
    if (typeof body?.name === "string") body.name = body.name.replaceAll(/[\u0080-\uffff]/g, "?");
    return undefined;
  },
};
