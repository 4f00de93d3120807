import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "takes a webhook that watches nothing",
  rules: ["bad-request-400"],
  request({ method, path, body }) {
    if (method !== "POST" || path !== "/v1/webhooks" || typeof body?.metadata !== "object") return undefined;
    if (body.metadata && Object.keys(body.metadata).length === 0)
      body.metadata = { addresses: [`0x${"ee".repeat(20)}`] };
    return undefined;
  },
};
