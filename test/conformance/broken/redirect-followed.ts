import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "follows redirects",
  rules: ["callback-no-redirect"],
  followsRedirects: true,
};
