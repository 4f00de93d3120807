import { apiKeyHeader } from "../../../generated/operations.ts";
import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "answers 404 for a webhook where there is no key",
  rules: ["missing-key-401"],
  request({ headers, path }, ask) {
    return headers[apiKeyHeader] === undefined && /webhooks\/./.test(path) ? ask("GET", "/v1/nothing") : undefined;
  },
};
