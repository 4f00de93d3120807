import { apiKeyHeader } from "../../../generated/operations.ts";
import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "takes any key",
  rules: ["unknown-key-401", "key-first"],
  request({ headers }) {
    if (headers[apiKeyHeader] === "a-key-that-nobody-has") headers[apiKeyHeader] = "both";
    return undefined;
  },
};
