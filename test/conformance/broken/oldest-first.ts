import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "lists webhooks the oldest first",
  rules: ["list-newest-first"],
  answer({ body }) {
    body.webhooks?.reverse();
  },
};
