import { apiKeyHeader } from "../../../generated/operations.ts";
import type { Breakage } from "../breakage.ts";
import { otherKey } from "../example.ts";

const theirs = new Set<string>();

export const broken: Breakage = {
  says: "shares idempotency keys between accounts",
  rules: ["other-account-unseen"],
  needs: "accounts",
  async request({ method, headers }, ask) {
    const key = headers["idempotency-key"];
    if (method !== "POST" || key === undefined) return undefined;
    if (headers[apiKeyHeader] === otherKey) theirs.add(key);
    else if (theirs.has(key)) {
      const body = { message: "The Idempotency-Key was used with another body.", statusCode: 409, error: "Conflict" };
      return { ...(await ask("GET", "/v1/nothing")), status: 409, body };
    }
    return undefined;
  },
};
