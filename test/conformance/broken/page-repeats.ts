import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "begins a page of addresses with the last one of the page before",
  rules: ["pagination-no-repeat"],
  answer({ body }, { path }) {
    const { pageToken, pageSize } = Object.fromEntries(new URLSearchParams(path.split("?")[1]));
    if (!body.addresses || !pageToken) return;
    if (body.addresses.length === Number(pageSize)) body.addresses.pop();
    body.addresses.unshift(pageToken);
    if (body.nextPageToken) body.nextPageToken = body.addresses.at(-1);
  },
};
