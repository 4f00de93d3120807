import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "takes an operational webhook with a format and no url",
  rules: ["operational-without-url"],
  request(request) {
    const { method, path, body } = request;
    if (method !== "PUT" || path !== "/v1/operational-webhook") return undefined;
    const given = body as { url?: string; format?: string } | undefined;
    if (given && given.url === undefined && given.format === "slack") delete given.format;
    return undefined;
  },
};
