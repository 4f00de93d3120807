import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "lists notifications with the hash of another block",
  rules: ["notification-detail"],
  needs: "chain",
  answer({ body }) {
    for (const record of body.notifications ?? []) if (record.blockHash) record.blockHash = `0x${"1".repeat(64)}`;
  },
};
