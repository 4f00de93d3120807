import { type Breakage, refusal } from "../breakage.ts";

export const broken: Breakage = {
  says: "refuses a charset that is written in capitals",
  rules: ["media-type-taken"],
  request: ({ headers }) =>
    headers["content-type"]?.endsWith("UTF-8") ? refusal(415, "The charset must be utf-8.") : undefined,
};
