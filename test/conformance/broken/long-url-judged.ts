import { type Breakage, refusal } from "../breakage.ts";

export const broken: Breakage = {
  says: "judges a parameter of a URL that is too long",
  rules: ["long-url-414"],
  request: ({ path }) => (path.length > 8_192 ? refusal(400, "pageToken must be shorter.") : undefined),
};
