import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "reports a test under another messageId than it was sent with",
  rules: ["callback-message-id"],
  answer({ body }) {
    if ("delivered" in body) body.messageId = "00000000-0000-4000-8000-000000000000";
  },
};
