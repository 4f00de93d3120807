import type { Breakage } from "../breakage.ts";

const gone = new Set<string>();

export const broken: Breakage = {
  says: "makes a webhook inactive when its endpoint answers a test with 410",
  rules: ["test-changes-nothing"],
  answer({ body }, { method, path }) {
    const [, id = ""] = /^\/v1\/webhooks\/([^/]+)/.exec(path) ?? [];
    if (body?.responseStatus === 410) gone.add(id);
    if (method === "GET" && body?.id === id && gone.has(id))
      Object.assign(body, { status: "inactive", statusReason: "endpoint_gone" });
  },
};
