import { apiKeyHeader } from "../../../generated/operations.ts";
import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "keeps a webhook that was deleted",
  rules: ["deleted-is-gone", "idempotent-after-delete"],
  async request({ method, path, headers }, ask) {
    if (method !== "DELETE" || headers[apiKeyHeader] !== "both" || !/^\/v1\/webhooks\/[0-9a-f-]{36}$/.test(path))
      return undefined;
    const record = await ask("GET", path);
    if (record.status === 200) record.body.status = "inactive";
    return record.status === 200 ? record : undefined;
  },
};
