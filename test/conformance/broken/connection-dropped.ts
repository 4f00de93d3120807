import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "closes the connection instead of rotating a secret",
  rules: ["answers"],
  request({ path }) {
    if (path.endsWith("/secret/rotate")) throw new Error("no answer");
    return undefined;
  },
};
