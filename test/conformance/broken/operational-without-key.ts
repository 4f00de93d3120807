import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "takes an operational webhook with the format pagerduty and no key for it",
  rules: ["operational-without-key"],
  request(request) {
    const { method, path, body } = request;
    if (method !== "PUT" || path !== "/v1/operational-webhook") return undefined;
    const given = body as { headers?: object; format?: string } | undefined;
    if (given?.format === "pagerduty" && given.headers === undefined) delete given.format;
    return undefined;
  },
};
