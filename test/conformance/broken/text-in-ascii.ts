import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "writes a question mark for every letter that ASCII does not have",
  rules: ["charset-utf-8"],
  request({ body }) {
    // Half of a pair is no letter.
    if (typeof body?.name === "string" && !/\p{Surrogate}/u.test(body.name))
      body.name = body.name.replaceAll(/[\u{80}-\u{10ffff}]/gu, "?");
    return undefined;
  },
};
