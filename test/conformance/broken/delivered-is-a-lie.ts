import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "lists a notification as delivered that it has sent to nobody",
  rules: ["notification-arrives"],
  needs: "chain",
  notify(notification) {
    // Sequence 2 goes where nobody listens, and its outcome is a success.
    if (notification.headers["webhook-sequence"] === "2") notification.dropped = true;
  },
};
