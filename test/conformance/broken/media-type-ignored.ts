import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "does not look at the media type of a body",
  rules: ["media-type-415"],
  request({ headers }) {
    if (headers["content-type"] === "text/plain") headers["content-type"] = "application/json";
    return undefined;
  },
};
