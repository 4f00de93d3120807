import { type Breakage, refusal } from "../breakage.ts";

export const broken: Breakage = {
  says: "refuses who accepts any kind of application",
  rules: ["accept-any"],
  request: ({ path, headers }) =>
    headers.accept === "application/*" && path !== "/v1/chains"
      ? refusal(400, "The header accept must be application/json.")
      : undefined,
};
