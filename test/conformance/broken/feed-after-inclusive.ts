import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "repeats the notification of the Last-Event-ID in a feed",
  rules: ["feed-in-order"],
  needs: "chain",
  request(request) {
    const last = request.headers["last-event-id"] ?? "";
    if (/^[1-9]$/.test(last)) request.headers["last-event-id"] = String(Number(last) - 1);
    return undefined;
  },
};
