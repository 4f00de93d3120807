import type { Breakage } from "../breakage.ts";

/** The headers that webhooks were given. */
const given = new Map<string, object>();

export const broken: Breakage = {
  says: "shows the headers of a webhook with their values",
  rules: ["header-values-hidden", "response-schema"],
  answer({ status, body }, { method, body: sent }) {
    if (status >= 300 || !body?.headerNames) return;
    if (/^(POST|PATCH)$/.test(method) && sent?.headers) given.set(body.id, sent.headers);
    if (given.has(body.id)) body.headers = given.get(body.id);
  },
};
