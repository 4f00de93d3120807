import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "forgets the query of a webhook's url",
  rules: ["callback-url"],
  notify(notification) {
    notification.target = notification.target.replace(/\?.*$/, "");
  },
};
