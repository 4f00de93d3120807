import { apiKeyHeader } from "../../../generated/operations.ts";
import type { Breakage } from "../breakage.ts";
import { otherKey } from "../example.ts";

export const broken: Breakage = {
  says: "answers 403 for a webhook of another account, and 404 for one that there is not",
  rules: ["other-account-unseen"],
  needs: "accounts",
  async request({ headers, path }, ask) {
    const [webhook] = /^\/v1\/webhooks\/[0-9a-f-]{36}/.exec(path) ?? [];
    if (headers[apiKeyHeader] === otherKey || !webhook || (await ask("GET", webhook)).status === 200) return undefined;
    const theirs = await ask("GET", webhook, otherKey);
    if (theirs.status !== 200) return undefined;
    return { ...theirs, status: 403, body: { message: "It is not yours.", statusCode: 403, error: "Forbidden" } };
  },
};
