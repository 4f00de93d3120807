import { apiKeyHeader } from "../../../generated/operations.ts";
import type { Breakage } from "../breakage.ts";
import { otherKey } from "../example.ts";

export const broken: Breakage = {
  says: "lists the inactive webhooks of all accounts at the end of its list",
  rules: ["other-account-unseen"],
  needs: "accounts",
  async answer({ body }, { headers, path }, ask) {
    if (headers[apiKeyHeader] === otherKey || !path.includes("status=inactive") || !body.webhooks) return;
    const { body: theirs } = await ask("GET", "/v1/webhooks?status=inactive&pageSize=1", otherKey);
    if (!body.nextPageToken) body.webhooks.push(...theirs.webhooks);
  },
};
