import { type Breakage, refusal } from "../breakage.ts";

export const broken: Breakage = {
  says: "previews for keys with the scope write only",
  rules: ["scope-suffices"],
  request: ({ path, headers }) =>
    path === "/v1/webhooks/preview" && headers["x-service-api-key"] === "read"
      ? refusal(403, "The API key must have the scope write.")
      : undefined,
};
