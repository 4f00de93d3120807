import { apiKeyHeader } from "../../../generated/operations.ts";
import type { Breakage } from "../breakage.ts";
import { otherKey } from "../example.ts";

export const broken: Breakage = {
  says: "returns the secret of another account's webhook",
  rules: ["other-account-unseen"],
  needs: "accounts",
  async request({ method, headers, path }, ask) {
    if (method !== "GET" || !path.endsWith("/secret") || (await ask("GET", path)).status !== 404) return undefined;
    if (headers[apiKeyHeader] === "both") headers[apiKeyHeader] = otherKey;
    return undefined;
  },
};
