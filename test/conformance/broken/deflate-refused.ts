import { type Breakage, refusal } from "../breakage.ts";

export const broken: Breakage = {
  says: "refuses bodies that are compressed with deflate",
  rules: ["compressed-body-taken"],
  request: ({ headers }) =>
    headers["content-encoding"] === "deflate" ? refusal(415, "The body must not be compressed.") : undefined,
};
