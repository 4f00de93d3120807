import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "counts repeated addresses twice when a webhook is created",
  rules: ["addresses-count-once"],
  answer({ body, status }, { method, path, body: sent }) {
    if (method === "POST" && path === "/v1/webhooks" && status === 201)
      body.addressCount = sent.metadata?.addresses?.length ?? body.addressCount;
  },
};
