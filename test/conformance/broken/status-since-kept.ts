import type { Breakage } from "../breakage.ts";

const firstTimes = new Map<string, number>();

export const broken: Breakage = {
  says: "keeps the time of the first status when a webhook is paused",
  rules: ["pause-and-resume"],
  answer({ body }) {
    for (const record of [body, ...(body.webhooks ?? [])]) {
      if (record.statusSince === undefined) continue;
      firstTimes.set(record.id, firstTimes.get(record.id) ?? record.statusSince);
      record.statusSince = firstTimes.get(record.id);
    }
  },
};
