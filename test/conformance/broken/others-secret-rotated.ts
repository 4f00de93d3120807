import { apiKeyHeader } from "../../../generated/operations.ts";
import type { Breakage } from "../breakage.ts";
import { otherKey } from "../example.ts";

export const broken: Breakage = {
  says: "rotates the secret of another account's webhook, and says that it found none",
  rules: ["other-account-unchanged"],
  needs: "accounts",
  async request({ method, headers, path }, ask) {
    if (method !== "PATCH" || headers[apiKeyHeader] === otherKey || !path.endsWith("/addresses")) return undefined;
    await ask("POST", path.replace("/addresses", "/secret/rotate"), otherKey);
    return undefined;
  },
};
