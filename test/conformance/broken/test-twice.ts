import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "sends a test twice",
  rules: ["test-sent-once"],
  notify(notification) {
    notification.times = 2;
  },
};
