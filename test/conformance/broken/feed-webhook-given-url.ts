import type { Breakage } from "../breakage.ts";

/** The webhooks that are only read. */
const onlyRead = new Set<string>();

export const broken: Breakage = {
  says: "gives a url to a webhook with the delivery feed",
  rules: ["feed-only"],
  request({ method, path, body }) {
    if (method === "PATCH" && onlyRead.has(path.split("/")[3] ?? "")) delete body?.url;
    return undefined;
  },
  answer({ status, body }, { method }) {
    if (method === "POST" && status === 201 && body?.delivery === "feed") onlyRead.add(body.id);
  },
};
