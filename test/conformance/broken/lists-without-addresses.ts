import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "lists records without their addresses",
  rules: ["list-shows-records"],
  answer({ body }) {
    for (const { metadata } of body?.webhooks ?? []) metadata.addresses = [];
  },
};
