import { apiKeyHeader } from "../../../generated/operations.ts";
import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "lets a key that may only read do everything",
  rules: ["scope-403"],
  request({ headers }) {
    if (headers[apiKeyHeader] === "read") headers[apiKeyHeader] = "both";
    return undefined;
  },
};
