import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "signs other bytes than it sends",
  rules: ["callback-signed"],
  notify(notification) {
    notification.body = JSON.stringify(notification.body, null, 2);
  },
};
