import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "shows secrets in the list of webhooks",
  rules: ["response-schema", "secret-not-leaked"],
  async answer({ body }, _request, ask) {
    for (const record of body.webhooks ?? [])
      record.secret = (await ask("GET", `/v1/webhooks/${record.id}/secret`)).body.secret;
  },
};
