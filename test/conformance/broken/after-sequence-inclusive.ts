import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "lists the notification of afterSequence, too",
  rules: ["notifications-in-order"],
  needs: "chain",
  request(request) {
    request.path = request.path.replace(/afterSequence=([1-9])\b/, (_, after) => `afterSequence=${Number(after) - 1}`);
    return undefined;
  },
};
