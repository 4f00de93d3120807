import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "gives the last page of webhooks the token of the page before",
  rules: ["pagination-ends"],
  answer({ body }, { path }) {
    const token = /pageToken=([^&]+)/.exec(path)?.[1];
    if (body.webhooks && !body.nextPageToken && token) body.nextPageToken = token;
  },
};
