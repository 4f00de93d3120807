import { type Breakage, refusal } from "../breakage.ts";

export const broken: Breakage = {
  says: "judges a body that is cut off before it looks at the key",
  rules: ["key-first"],
  request: ({ body }) =>
    typeof body === "string" && /^{[^}]*$/.test(body) ? refusal(400, "The body must be JSON.") : undefined,
};
