import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "ends the list of webhooks after its first page",
  rules: ["pagination-complete"],
  answer({ body }) {
    if (body.webhooks) delete body.nextPageToken;
  },
};
