import { type Breakage, refusal } from "../breakage.ts";

export const broken: Breakage = {
  says: "refuses a description of more than 1,000 characters",
  rules: ["bounds-taken"],
  request: ({ body }) =>
    String(body?.description ?? "").length > 1_000 ? refusal(400, "description must be shorter.") : undefined,
};
